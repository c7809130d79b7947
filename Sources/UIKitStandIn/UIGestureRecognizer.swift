import Foundation

/// UIKit's gesture recognizer where UIKit is missing: part of a view, and nothing more.
@MainActor open class UIGestureRecognizer: NSObject {
  open var isEnabled = true
  public fileprivate(set) weak var view: UIView?

  // Not isolated, because the one of NSObject that it overrides is not.
  public nonisolated override init() {
    super.init()
  }
}

/// Taps that a toolkit or a test tells of. Without Objective-C there is no target and action: a closure stands for them.
@MainActor open class UITapGestureRecognizer: UIGestureRecognizer {
  private var action: (@MainActor () -> Void)?

  public convenience init(_ action: @escaping @MainActor () -> Void) {
    self.init()
    self.action = action
  }

  /// Does what a tap does, if the view takes touches now.
  public func recognize() {
    guard isEnabled, let view, view.takesTouches else { return }
    action?()
  }
}

extension UIView {
  /// Whether touches reach the view: neither it nor a view around it refuses them, and it is no part of a button.
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
