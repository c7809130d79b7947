import Storefront
import UIKit

final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
  var window: UIWindow?
  private var store: Store?

  func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions) {
    guard let scene = scene as? UIWindowScene else { return }
    let grid = GridViewController()
    let window = UIWindow(windowScene: scene)
    window.rootViewController = UINavigationController(rootViewController: grid)
    window.makeKeyAndVisible()
    self.window = window
    Task { await open(in: grid) }
  }

  func sceneDidDisconnect(_ scene: UIScene) { store?.close() }

  private func open(in grid: GridViewController) async {
    do {
      let store = try Store()
      self.store = store
      store.shop.letGo()
      grid.offerSettings(of: store)
      grid.show(try await store.items())
    } catch {
      grid.complain(error)
    }
  }
}
