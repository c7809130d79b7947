// The numbers of facts, such as M9, are those of the list in `Tests/AppleFrameworks.md`.

/// The scaling of the image in an image view or a button. If the aspect ratios of the view and the image differ, none of the four modes
/// fills the view without distorting the image (fact M9).
public enum NSImageScaling: UInt, Sendable {
  case scaleProportionallyDown, scaleAxesIndependently, scaleNone, scaleProportionallyUpOrDown
}

/// An item of a menu, which is not a view.
@MainActor open class NSMenuItem: NSObject {
  open var image: NSImage?

  public nonisolated override init() {
    super.init()
  }
}

@MainActor open class NSControl: NSView {
  public enum ImagePosition: UInt, Sendable {
    case noImage, imageOnly, imageLeft, imageRight, imageBelow, imageAbove, imageOverlaps, imageLeading, imageTrailing
  }
}

/// A view that shows an image.
@MainActor open class NSImageView: NSControl {
  /// The private subview that draws the image. The contents of the image view's own layer are not the image (fact M6).
  private let drawing = NSView(frame: .zero)

  public override init(frame: NSRect) {
    super.init(frame: frame)
    addSubview(drawing)
  }

  public required init?(coder: NSCoder) {
    super.init(coder: coder)
    addSubview(drawing)
  }

  /// The image, which is retained and not copied (fact M1). Setting it off the main thread traps.
  open var image: NSImage? {
    didSet { precondition(MainThread.isCurrent, "an image view is used off the main thread") }
  }
  open var imageScaling = NSImageScaling.scaleProportionallyDown
}

/// A button with an image, and with another image that it shows while it is on.
@MainActor open class NSButton: NSControl {
  /// The image, which is retained and not copied (fact M1). Setting it off the main thread traps.
  open var image: NSImage? {
    didSet { precondition(MainThread.isCurrent, "a button is used off the main thread") }
  }
  /// The image of a button that is on, which is retained and not copied (fact M1).
  open var alternateImage: NSImage? {
    didSet { precondition(MainThread.isCurrent, "a button is used off the main thread") }
  }
  open var imageScaling = NSImageScaling.scaleProportionallyDown
  open var imagePosition = ImagePosition.noImage
  open var title = "Button"

  /// The text for accessibility, which by default is the title.
  open override func accessibilityLabel() -> String? { super.accessibilityLabel() ?? title }
}
