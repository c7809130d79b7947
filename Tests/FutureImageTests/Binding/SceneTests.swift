#if canImport(UIKitStandIn) && !canImport(UIKit)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Dark images in scenes that are not on screen. The scenes of an app change their own state; a test changes the state of the stand-in's
/// scenes.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct SceneTests {
  private let shop = Shop { $0.retry = .never }
  private let view = imageView(64)
  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
  private let scene = UIWindowScene()

  private func requested() -> [String] { shop.held.requests.map { $0.url.lastPathComponent } }

  @Test func `a scene in the background changes no images, and checks its style when it returns`() async {
    window.windowScene = scene
    window.addSubview(view)
    let source = FutureImage.Source.url(Shop.url("light")).inDarkMode(use: .url(Shop.url("dark")))
    view.futureImage = FutureImage(source, loader: shop.loader)
    await shop.serve("light", Colour.red.jpeg(1200, 900))
    // UIKit takes a snapshot in each style.
    scene.activationState = .background
    window.change(to: .dark)
    window.change(to: .light)
    await shop.loader.turn()
    #expect(Colour.red.isNearly(view.image?.colour))
    #expect(requested() == ["light.jpg"])
    // The scene comes back in another style.
    window.change(to: .dark)
    await shop.loader.turn()
    #expect(requested() == ["light.jpg"])
    NotificationCenter.default.post(name: UIScene.willEnterForegroundNotification, object: scene)
    scene.activationState = .foregroundInactive
    await shop.serve("dark", Colour.blue.jpeg(1200, 900))
    #expect(Colour.blue.isNearly(view.image?.colour))
  }
}
#endif
