import Foundation
import Testing
import UIKitStandIn

@MainActor @Suite("UIView", .tags(.threads), .timeLimit(.minutes(5)))
struct UIViewTests {
  @Test func `frame and bounds share a size`() {
    let view = UIView(frame: CGRect(x: 1, y: 2, width: 3, height: 4))
    #expect(view.bounds == CGRect(x: 0, y: 0, width: 3, height: 4))
    view.bounds.size = CGSize(width: 5, height: 6)
    #expect(view.frame == CGRect(x: 1, y: 2, width: 5, height: 6))
    #expect(UIView().frame == .zero && UIView().intrinsicContentSize == CGSize(width: -1, height: -1))
  }

  @Test func `points are converted through all transforms, and a frame is the box around the view`() {
    let (window, outer) = (UIWindow(frame: CGRect(x: 0, y: 0, width: 100, height: 100)), UIView())
    let view = UIView(frame: CGRect(x: 10, y: 20, width: 40, height: 20))
    window.addSubview(outer)
    outer.addSubview(view)
    #expect(view.convert(CGPoint(x: 1, y: 2), to: nil) == CGPoint(x: 11, y: 22))
    view.transform = CGAffineTransform(scaleX: 2, y: 3)
    #expect(view.bounds.size == CGSize(width: 40, height: 20))
    #expect(view.frame == CGRect(x: -10, y: 0, width: 80, height: 60))
    outer.transform = CGAffineTransform(scaleX: 2, y: 2)
    #expect(view.convert(view.bounds, to: outer).size == CGSize(width: 80, height: 60))
    #expect(view.convert(view.bounds, to: nil).size == CGSize(width: 160, height: 120))
    outer.transform = CGAffineTransform(rotationAngle: .pi / 2)
    let turned = view.convert(view.bounds, to: nil).size
    #expect(abs(turned.width - 60) < 1e-9 && abs(turned.height - 80) < 1e-9)
  }

  @Test func `content modes and animation options have UIKit's raw values`() {
    let modes: [UIView.ContentMode] = [
      .scaleToFill, .scaleAspectFit, .scaleAspectFill, .redraw, .center, .top, .bottom, .left, .right, .topLeft, .topRight,
      .bottomLeft, .bottomRight
    ]
    #expect(modes.map(\.rawValue) == Array(0...12))
    #expect(UIView.AnimationOptions.transitionCrossDissolve.rawValue == 5 << 20)
    #expect(UIView.AnimationOptions.allowUserInteraction.rawValue == 2)
    #expect(UIView.AnimationOptions.curveLinear.rawValue == 3 << 16)
  }

  @Test func `a transition in a window makes its changes before the call returns, and completes once after the call returns`() async {
    let (window, view) = (UIWindow(), UIView())
    window.addSubview(view)
    var events: [String] = []
    await withCheckedContinuation { continuation in
      UIView.transition(
        with: view, duration: 10, options: [.transitionCrossDissolve, .allowUserInteraction],
        animations: { events.append("animations") },
        completion: { finished in
          events.append("completion \(finished)")
          continuation.resume()
        })
      #expect(events == ["animations"])
    }
    // All work that was enqueued before has run when this task ends.
    await Task {}.value
    #expect(events == ["animations", "completion true"])
  }

  @Test func `a transition completes before it returns if it animates nothing`() {
    let (window, view) = (UIWindow(), UIView())
    var completions = 0
    UIView.transition(with: view, duration: 1, animations: {}) { _ in completions += 1 }
    #expect(completions == 1)
    window.addSubview(view)
    UIView.transition(with: view, duration: 0, animations: {}) { _ in completions += 1 }
    #expect(completions == 2)
  }

  @Test func `a view ignores touches during a transition, unless the options allow them`() async {
    let (window, view) = (UIWindow(), UIView())
    window.addSubview(view)
    var taps = 0
    let recognizer = UITapGestureRecognizer { taps += 1 }
    view.addGestureRecognizer(recognizer)
    await withCheckedContinuation { continuation in
      UIView.transition(with: view, duration: 1, options: .transitionCrossDissolve, animations: {}) { _ in continuation.resume() }
      recognizer.recognize()
      #expect(taps == 0)
    }
    UIView.transition(with: view, duration: 1, options: [.transitionCrossDissolve, .allowUserInteraction], animations: {})
    recognizer.recognize()
    #expect(taps == 1)
  }

  @Test func `touches reach a view only if all views around it are enabled and none of them is a button`() {
    let (outer, inner, button) = (UIView(), UIView(), UIButton())
    var taps = 0
    let recognizer = UITapGestureRecognizer { taps += 1 }
    inner.addGestureRecognizer(recognizer)
    outer.addSubview(inner)
    recognizer.recognize()
    #expect(taps == 1)
    outer.isUserInteractionEnabled = false
    recognizer.recognize()
    #expect(taps == 1)
    button.addSubview(inner)
    recognizer.recognize()
    #expect(taps == 1)
    button.addGestureRecognizer(recognizer)
    recognizer.recognize()
    #expect(taps == 2)
  }

  @Test func `a view in a window has that window, and inherits the window's display scale`() {
    let (window, view, inner) = (UIWindow(), UIView(), UIView())
    #expect(inner.window == nil && inner.traitCollection.displayScale == 1)
    view.addSubview(inner)
    window.addSubview(view)
    window.traitOverrides.displayScale = 3
    #expect(inner.window === window && inner.traitCollection.displayScale == 3)
    view.traitOverrides.displayScale = 2
    #expect(inner.traitCollection.displayScale == 2 && UITraitCollection().displayScale == 0)
    inner.removeFromSuperview()
    #expect(inner.window == nil && inner.superview == nil && view.subviews.isEmpty)
  }

  @Test func `notifications have UIKit's names`() {
    #expect(UIApplication.didReceiveMemoryWarningNotification.rawValue == "UIApplicationDidReceiveMemoryWarningNotification")
    #expect(UIApplication.didEnterBackgroundNotification.rawValue == "UIApplicationDidEnterBackgroundNotification")
  }
}
