import Foundation

/// A part of an app's interface that comes and goes by itself.
@MainActor open class UIScene: UIResponder {
  /// Whether it is on the screen, with UIKit's raw values.
  public enum ActivationState: Int, Sendable {
    case unattached = -1
    case foregroundActive, foregroundInactive, background
  }

  /// Posted for a scene before its state is another one, by nobody but tests and programs themselves.
  public nonisolated static let willEnterForegroundNotification = NSNotification.Name("UISceneWillEnterForegroundNotification")

  /// Not UIKit's: here anybody sets it.
  public var activationState = ActivationState.foregroundActive
}

/// A scene with windows.
@MainActor open class UIWindowScene: UIScene {}
