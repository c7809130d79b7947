import FutureImage
import Storefront
import UIKit

final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
  var window: UIWindow?
  private var shop: Shop?

  func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions) {
    guard let scene = scene as? UIWindowScene else { return }
    let grid = GridViewController()
    let window = UIWindow(windowScene: scene)
    window.rootViewController = UINavigationController(rootViewController: grid)
    window.makeKeyAndVisible()
    self.window = window
    Task { await open(in: grid) }
  }

  private func open(in grid: GridViewController) async {
    do {
      let shop = try Shop(photos: Shop.photos)
      self.shop = shop
      shop.letGo()
      grid.show(try await Feed.load(from: shop.feedURL, loader: .shared).items)
    } catch {
      grid.complain(error)
    }
  }
}
