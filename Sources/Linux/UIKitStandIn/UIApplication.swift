import Foundation

/// The names of the application's notifications, which only tests and programs themselves post.
@MainActor open class UIApplication: UIResponder {
  public nonisolated static let didReceiveMemoryWarningNotification = NSNotification.Name(
    "UIApplicationDidReceiveMemoryWarningNotification")
  public nonisolated static let didEnterBackgroundNotification = NSNotification.Name(
    "UIApplicationDidEnterBackgroundNotification")
}

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

/// The screen, which is never visible, at scale 1.
@MainActor public final class UIScreen {
  public static let main = UIScreen()

  /// Points.
  public let bounds = CGRect(x: 0, y: 0, width: 1024, height: 768)
  /// Pixels per point.
  public let scale: CGFloat = 1
  let traitCollection = UITraitCollection(displayScale: 1, style: .light, direction: .leftToRight, idiom: .phone)
  private(set) lazy var imageConfiguration = UIImage.Configuration(traitCollection: traitCollection)

  private init() {}
}
