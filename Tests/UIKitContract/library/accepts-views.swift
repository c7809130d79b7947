import FutureImage

@MainActor final class Profile: UIView {
  var cover: UIImage? { didSet { layer.contents = cover?.cgImage } }
}
extension FutureImage.Slot where Owner == Profile {
  @MainActor static var cover: Self {
    Self("cover", get: { $0.cover }, set: { $0.cover = $1 }, pixelFitting: { .fill($0.bounds.size) })
  }
}
@MainActor func places(_ photo: FutureImage, _ view: UIImageView, _ button: UIButton, _ profile: Profile, _ spinner: UIActivityIndicatorView) {
  button.setFutureImage(photo, for: .normal)
  button.setFutureImage(photo, for: [.highlighted, .selected], .init(transition: .fade()))
  button.setFutureBackgroundImage(nil, for: .disabled)
  let shown: [FutureImage?] = [button.futureImage(for: .normal), button.futureBackgroundImage(for: .selected), view.highlightedFutureImage]
  view.highlightedFutureImage = shown.compactMap { $0 }.first
  photo.show(in: profile, .cover)
  photo.show(in: button, .backgroundImage(for: .focused), .init(retriesOnTap: true))
  FutureImage.Slot<Profile>.cover.display(UIImage(systemName: "photo"), in: profile)
  view.setFutureImage(photo, .init(indicator: .activity))
  view.setFutureImage(photo, .init(indicator: .custom { UIActivityIndicatorView(style: .large) }))
  view.setFutureImage(photo, .init { phase in phase.isFinal ? spinner.stopAnimating() : spinner.startAnimating() })
  view.setFutureImage(
    photo,
    FutureImage.Presentation(
      transition: .animated([.transitionFlipFromLeft, .allowUserInteraction], seconds: 0.3), placeholder: UIImage(systemName: "photo"),
      failureImage: UIImage(systemName: "xmark"), contentModes: .init(picture: .scaleAspectFill, placeholder: .center, failure: .bottom),
      retriesOnTap: true))
  let slide = FutureImage.Presentation.Transition.custom { view, change in
    UIView.animate(withDuration: 0.2, animations: { view.alpha = 0 }, completion: { _ in change() })
  }
  view.setFutureImage(nil, .init(transition: slide))
}
@MainActor final class Badge: UIControl, FutureImageBinding {
  var image: UIImage?
}
@MainActor func show(_ picture: UIImage?, _ badge: Badge) {
  badge.display(picture)
  badge.setFutureImage(badge.futureImage, .init(transition: .fade(seconds: 0.2)))
}
