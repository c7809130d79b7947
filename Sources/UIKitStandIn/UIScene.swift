import Foundation

/// A part of an app's interface with its own life cycle.
@MainActor open class UIScene: UIResponder {
  /// Whether it is on the screen, with UIKit's raw values.
  public enum ActivationState: Int, Sendable {
    case unattached = -1
    case foregroundActive, foregroundInactive, background
  }

  /// A notification for a scene before its state changes, posted only by tests and programs themselves.
  public nonisolated static let willEnterForegroundNotification = NSNotification.Name("UISceneWillEnterForegroundNotification")

  /// The state; unlike in UIKit, any code can set it.
  public var activationState = ActivationState.foregroundActive
}

/// A scene with windows.
@MainActor open class UIWindowScene: UIScene {}
