import Foundation

/// Here for the names of its notifications, which nobody posts but tests and programs themselves.
@MainActor open class UIApplication: UIResponder {
  public nonisolated static let didReceiveMemoryWarningNotification = NSNotification.Name(
    "UIApplicationDidReceiveMemoryWarningNotification")
  public nonisolated static let didEnterBackgroundNotification = NSNotification.Name(
    "UIApplicationDidEnterBackgroundNotification")
}
