import Foundation

/// UIKit's gesture recognizer, for platforms without UIKit. It recognizes nothing by itself, but can be added to a view.
@MainActor open class UIGestureRecognizer: NSObject {
  open var isEnabled = true
  public fileprivate(set) weak var view: UIView?

  // Not isolated, because the initializer of NSObject that it overrides is not.
  public nonisolated override init() {
    super.init()
  }
}

/// A recognizer of taps that a toolkit such as GTK, or a test, reports. Without Objective-C, a closure replaces target and action.
@MainActor open class UITapGestureRecognizer: UIGestureRecognizer {
  private var action: (@MainActor () -> Void)?

  public convenience init(_ action: @escaping @MainActor () -> Void) {
    self.init()
    self.action = action
  }

  /// Performs the action of a tap if the view currently accepts touches.
  public func recognize() {
    guard isEnabled, let view, view.takesTouches else { return }
    action?()
  }
}

extension UIView {
  /// Whether touches reach the view. They do unless the view or a superview refuses them, or the view is part of a button.
  fileprivate var takesTouches: Bool {
    guard isUserInteractionEnabled, blockingTransitions == 0 else { return false }
    guard let superview else { return true }
    return !(superview is UIButton) && superview.takesTouches
  }

  public func addGestureRecognizer(_ recognizer: UIGestureRecognizer) {
    recognizer.view?.removeGestureRecognizer(recognizer)
    gestureRecognizers = (gestureRecognizers ?? []) + [recognizer]
    recognizer.view = self
  }

  public func removeGestureRecognizer(_ recognizer: UIGestureRecognizer) {
    guard recognizer.view === self else { return }
    gestureRecognizers?.removeAll { $0 === recognizer }
    recognizer.view = nil
  }
}
