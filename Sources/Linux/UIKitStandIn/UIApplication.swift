import Foundation

/// The names of the application's notifications. This module never posts them, but tests and programs can.
@MainActor open class UIApplication: UIResponder {
  public nonisolated static let didReceiveMemoryWarningNotification = NSNotification.Name(
    "UIApplicationDidReceiveMemoryWarningNotification")
  public nonisolated static let didEnterBackgroundNotification = NSNotification.Name(
    "UIApplicationDidEnterBackgroundNotification")
}

/// A part of an app's interface with its own life cycle.
@MainActor open class UIScene: UIResponder {
  /// Whether the scene is on the screen. The raw values are those of UIKit.
  public enum ActivationState: Int, Sendable {
    case unattached = -1
    case foregroundActive, foregroundInactive, background
  }

  /// The name of the notification that UIKit posts before a scene enters the foreground. This module never posts it, but tests and programs
  /// can.
  public nonisolated static let willEnterForegroundNotification = NSNotification.Name("UISceneWillEnterForegroundNotification")

  /// The state; unlike in UIKit, any code can set it.
  public var activationState = ActivationState.foregroundActive
}

/// A scene with windows.
@MainActor open class UIWindowScene: UIScene {}

/// A screen that is never visible. Its scale is 1.
@MainActor public final class UIScreen {
  public static let main = UIScreen()

  /// The bounds in points.
  public let bounds = CGRect(x: 0, y: 0, width: 1024, height: 768)
  /// Pixels per point.
  public let scale: CGFloat = 1
  let traitCollection = UITraitCollection(displayScale: 1, style: .light, direction: .leftToRight, idiom: .phone)
  private(set) lazy var imageConfiguration = UIImage.Configuration(traitCollection: traitCollection)

  private init() {}
}
