#if canImport(UIKitStandIn) && !canImport(UIKit)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Dark images in background scenes. In UIKit, the system changes the state of a scene. In the UIKit stand-in, a test sets the state.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct SceneTests {
  private let fixture = LoaderFixture { $0.retry = .never }
  private let view = imageView(64)
  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
  private let scene = UIWindowScene()

  private func requested() -> [String] { fixture.held.requests.map { $0.url.lastPathComponent } }

  @Test func `if the interface style changes in the background, images change only after the scene returns to the foreground`() async {
    window.windowScene = scene
    window.addSubview(view)
    let source = FutureImage.Source.url(LoaderFixture.url("light")).inDarkMode(use: .url(LoaderFixture.url("dark")))
    view.futureImage = FutureImage(source, loader: fixture.loader)
    await fixture.serve("light", TestColor.red.jpeg(1200, 900))
    // When a scene enters the background, UIKit takes a snapshot in each style.
    scene.activationState = .background
    window.change(to: .dark)
    window.change(to: .light)
    await fixture.loader.delivered()
    #expect(TestColor.red.isNearly(view.image?.color))
    #expect(requested() == ["light.jpg"])
    // The scene returns to the foreground in another style.
    window.change(to: .dark)
    await fixture.loader.delivered()
    #expect(requested() == ["light.jpg"])
    NotificationCenter.default.post(name: UIScene.willEnterForegroundNotification, object: scene)
    scene.activationState = .foregroundInactive
    await fixture.serve("dark", TestColor.blue.jpeg(1200, 900))
    #expect(TestColor.blue.isNearly(view.image?.color))
  }
}
#endif
