import Foundation
import Testing
import UIKitStandIn

/// UIKit lets a subclass watch its image.
private final class WatchingView: UIImageView {
  var count = 0

  override var image: UIImage? {
    didSet { count += 1 }
  }
}

@MainActor @Suite("UIImageView")
struct UIImageViewTests {
  private func image(_ width: Int, _ height: Int) throws -> UIImage {
    try UIImage(cgImage: #require(CGImage.noise(width, height, opaque: true)))
  }

  @Test("made from an image it has its size and takes no touches")
  func fromImage() throws {
    let view = try UIImageView(image: image(3, 2))
    #expect(view.bounds == CGRect(x: 0, y: 0, width: 3, height: 2) && !view.isUserInteractionEnabled)
    view.isUserInteractionEnabled = true
    #expect(view.isUserInteractionEnabled)
    #expect(UIImageView(image: nil).bounds == .zero && UIView().isUserInteractionEnabled)
  }

  @Test("another image does not resize it")
  func setter() throws {
    let view = try UIImageView(image: image(3, 2))
    view.image = try image(9, 9)
    #expect(view.bounds.size == CGSize(width: 3, height: 2))
  }

  @Test("holds its image and gives back the same object")
  func identity() throws {
    let view = WatchingView()
    weak var held: UIImage?
    do {
      let image = Subclass(note: "held")
      held = image
      view.image = image
    }
    #expect(held != nil && view.image === held && view.count == 1)
    view.image = nil
    #expect(held == nil && view.count == 2)
  }

  @Test("its own size is the image's, none without one, and zero for an empty one")
  func intrinsic() throws {
    let view = UIImageView()
    #expect(view.intrinsicContentSize == CGSize(width: UIView.noIntrinsicMetric, height: UIView.noIntrinsicMetric))
    view.image = UIImage()
    #expect(view.intrinsicContentSize == .zero)
    view.image = try image(5, 4)
    #expect(view.intrinsicContentSize == CGSize(width: 5, height: 4))
  }
}

@MainActor @Suite("UIButton")
struct UIButtonTests {
  @Test("every state has its images and falls back to the normal one")
  func states() {
    let (button, normal, selected, back) = (UIButton(type: .custom), UIImage(), UIImage(), UIImage())
    #expect(button.image(for: .normal) == nil)
    button.setImage(normal, for: .normal)
    button.setImage(selected, for: .selected)
    button.setBackgroundImage(back, for: .normal)
    #expect(button.image(for: .normal) === normal && button.image(for: .selected) === selected)
    #expect(button.image(for: .disabled) === normal && button.image(for: [.selected, .highlighted]) === normal)
    #expect(button.backgroundImage(for: .focused) === back)
    button.isSelected = true
    #expect(button.currentImage === selected && button.state == .selected)
    button.setImage(nil, for: .selected)
    #expect(button.image(for: .selected) === normal)
  }

  @Test("states have UIKit's raw values")
  func rawValues() {
    let states: [UIControl.State] = [.normal, .highlighted, .disabled, .selected, .focused]
    #expect(states.map(\.rawValue) == [0, 1, 2, 4, 8])
  }
}
