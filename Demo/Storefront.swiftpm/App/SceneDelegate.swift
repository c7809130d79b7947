import Storefront
import SwiftUI
import UIKit

/// The delegate that opens the shop once and shows its items in two tabs, one with UIKit screens and one with SwiftUI screens.
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
  var window: UIWindow?
  private var store: Store?
  private let grid = GridViewController()
  private let shop = UIHostingController(rootView: ShopView(status: .opening))

  func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions) {
    guard let scene = scene as? UIWindowScene else { return }
    let navigation = UINavigationController(rootViewController: grid)
    navigation.tabBarItem = UITabBarItem(title: "UIKit", image: UIImage(systemName: "square.grid.2x2"), tag: 0)
    shop.tabBarItem = UITabBarItem(title: "SwiftUI", image: UIImage(systemName: "swift"), tag: 1)
    let tabs = UITabBarController()
    tabs.viewControllers = [navigation, shop]
    let window = UIWindow(windowScene: scene)
    window.rootViewController = tabs
    window.makeKeyAndVisible()
    self.window = window
    Task { await open() }
  }

  func sceneDidDisconnect(_ scene: UIScene) { store?.close() }

  private func open() async {
    do {
      let store = try Store()
      self.store = store
      store.shop.release()
      grid.offerSettings(of: store)
      let items = try await store.items()
      grid.show(items)
      shop.rootView = ShopView(status: .open(store, items))
    } catch {
      grid.complain(error)
      shop.rootView = ShopView(status: .closed(error))
    }
  }
}
