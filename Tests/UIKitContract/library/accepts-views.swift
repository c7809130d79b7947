// Slots of views, presentations, and views of the app itself.
import FutureImage

@MainActor final class Profile: UIView {
  var cover: UIImage? { didSet { layer.contents = cover?.cgImage } }
}
extension FutureImage.Slot where Owner == Profile {
  @MainActor static var cover: Self {
    Self(\.cover, pixelFitting: { .fill(FutureImage.PixelSize($0.bounds.size, scale: $0.traitCollection.displayScale)) })
  }
}
@MainActor func places(_ photo: FutureImage, _ view: UIImageView, _ button: UIButton, _ profile: Profile, _ spinner: UIActivityIndicatorView) {
  button.display(photo, for: .normal)
  button.display(photo, for: [.highlighted, .selected], .init(transition: .fade()))
  FutureImage.Slot.backgroundImage(for: .disabled).display(nil, in: button)
  let shown: [FutureImage?] = [FutureImage.Slot.image(for: .normal).futureImage(of: button), FutureImage.Slot.highlightedImage.futureImage(of: view)]
  FutureImage.Slot.highlightedImage.display(shown.compactMap { $0 }.first, in: view)
  FutureImage.Slot.cover.display(photo, in: profile)
  FutureImage.Slot(\Profile.cover).display(photo, in: profile)
  FutureImage.Slot.backgroundImage(for: .focused).display(photo, in: button, .init(retriesOnTap: true))
  FutureImage.Slot<Profile>.cover.display(UIImage(systemName: "photo"), in: profile)
  view.display(photo, .init(indicator: .activity))
  view.display(photo, .init(indicator: .custom { UIActivityIndicatorView(style: .large) }))
  view.display(photo, .init { phase in phase.isFinal ? spinner.stopAnimating() : spinner.startAnimating() })
  view.display(
    photo,
    FutureImage.Presentation(
      transition: .animated([.transitionFlipFromLeft, .allowUserInteraction], seconds: 0.3), placeholder: UIImage(systemName: "photo"),
      failureImage: UIImage(systemName: "xmark"), contentModes: (image: .scaleAspectFill, placeholder: .center, failure: .bottom),
      retriesOnTap: true))
  let slide = FutureImage.Presentation.Transition.custom { view, change in
    UIView.animate(withDuration: 0.2, animations: { view.alpha = 0 }, completion: { _ in change() })
  }
  view.display(nil, .init(transition: slide))
}
@MainActor final class Badge: UIControl, ImageDisplaying {
  var image: UIImage?
}
@MainActor func show(_ picture: UIImage?, _ badge: Badge) {
  badge.display(picture)
  badge.display(badge.futureImage, .init(transition: .fade(seconds: 0.2)))
}
