import Foundation

@MainActor open class UIControl: UIView {
  /// States with UIKit's raw values.
  public struct State: OptionSet, Hashable, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    public static let normal = Self([])
    public static let highlighted = Self(rawValue: 1)
    public static let disabled = Self(rawValue: 2)
    public static let selected = Self(rawValue: 4)
    public static let focused = Self(rawValue: 8)
  }

  override var isElementByDefault: Bool { true }
  open var isEnabled = true
  open var isSelected = false
  open var isHighlighted = false

  open var state: State {
    var state = State.normal
    if !isEnabled { state.insert(.disabled) }
    if isSelected { state.insert(.selected) }
    if isHighlighted { state.insert(.highlighted) }
    return state
  }
}

/// An item of a bar, for platforms without UIKit.
@MainActor open class UIBarItem: NSObject {
  open var image: UIImage?

  public nonisolated override init() {
    super.init()
  }

  /// Whether the bar draws only the shape of the image, filled with the tint. A photo is then a solid block. Not part of UIKit.
  public var drawsTemplate: Bool { image?.isTemplate(inChrome: true) ?? false }
}

/// A button in a navigation bar or toolbar, for platforms without UIKit.
@MainActor open class UIBarButtonItem: UIBarItem {}
