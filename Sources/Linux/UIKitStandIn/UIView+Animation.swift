import Foundation

extension UIView {
  /// Options with UIKit's raw values.
  public struct AnimationOptions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    public static let layoutSubviews = Self(rawValue: 1 << 0)
    public static let allowUserInteraction = Self(rawValue: 1 << 1)
    public static let beginFromCurrentState = Self(rawValue: 1 << 2)
    public static let `repeat` = Self(rawValue: 1 << 3)
    public static let autoreverse = Self(rawValue: 1 << 4)
    public static let showHideTransitionViews = Self(rawValue: 1 << 8)
    public static let curveEaseInOut = Self([])
    public static let curveEaseIn = Self(rawValue: 1 << 16)
    public static let curveEaseOut = Self(rawValue: 2 << 16)
    public static let curveLinear = Self(rawValue: 3 << 16)
    public static let transitionFlipFromLeft = Self(rawValue: 1 << 20)
    public static let transitionFlipFromRight = Self(rawValue: 2 << 20)
    public static let transitionCurlUp = Self(rawValue: 3 << 20)
    public static let transitionCurlDown = Self(rawValue: 4 << 20)
    public static let transitionCrossDissolve = Self(rawValue: 5 << 20)
    public static let transitionFlipFromTop = Self(rawValue: 6 << 20)
    public static let transitionFlipFromBottom = Self(rawValue: 7 << 20)
  }

  public private(set) static var areAnimationsEnabled = true

  public class func setAnimationsEnabled(_ enabled: Bool) {
    areAnimationsEnabled = enabled
  }

  /// Makes the change by the view's ``runTransition(duration:options:change:)`` before this method returns. Calls `completion` once, with
  /// true. If nothing is animated (no window, no duration, or animations off), calls `completion` before this method returns. Otherwise,
  /// calls it in a later turn of the main queue. Until then, the view accepts no touches unless the options allow them.
  public class func transition(
    with view: UIView, duration: TimeInterval, options: AnimationOptions = [], animations: (() -> Void)?,
    completion: ((Bool) -> Void)? = nil
  ) {
    let isAnimated = view.window != nil && duration > 0 && areAnimationsEnabled
    view.runTransition(duration: duration, options: options) { animations?() }
    guard isAnimated else {
      completion?(true)
      return
    }
    let blocks = !options.contains(.allowUserInteraction)
    if blocks { view.blockingTransitions += 1 }
    Task {
      if blocks { view.blockingTransitions -= 1 }
      completion?(true)
    }
  }
}
