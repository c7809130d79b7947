import Foundation
import Testing

@testable import UIKitStandIn

@MainActor @Suite("Trait changes", .tags(.threads), .timeLimit(.minutes(5))) struct TraitChangeTests {
  @Test func `a handler is called with the view and its previous traits when one of the handler's traits changes`() {
    let (window, view) = (UIWindow(), UIImageView())
    var reported: [UIUserInterfaceStyle] = []
    let style: [UITrait] = [UITraitUserInterfaceStyle.self]
    let registration = view.registerForTraitChanges(style) { (changed: UIImageView, previous: UITraitCollection) in
      #expect(changed === view)
      reported += [previous.userInterfaceStyle, changed.traitCollection.userInterfaceStyle]
    }
    window.addSubview(view)
    #expect(reported.isEmpty)
    window.overrideUserInterfaceStyle = .dark
    #expect(reported.isEmpty)
    window.updateTraitsIfNeeded()
    #expect(reported == [.light, .dark])
    view.traitOverrides.displayScale = 3
    view.updateTraitsIfNeeded()
    #expect(reported.count == 2)
    view.removeFromSuperview()
    view.updateTraitsIfNeeded()
    #expect(reported == [.light, .dark, .dark, .light])
    // After its registration has ended, the handler is not called.
    view.unregisterForTraitChanges(registration)
    view.overrideUserInterfaceStyle = .dark
    view.updateTraitsIfNeeded()
    #expect(reported.count == 4)
  }

  @Test func `a handler is called in a later turn of the main queue, once for several changes`() async {
    let view = UIView()
    var styles: [UIUserInterfaceStyle] = []
    view.registerForTraitChanges([UITraitUserInterfaceStyle.self]) { (view: UIView, _: UITraitCollection) in
      styles.append(view.traitCollection.userInterfaceStyle)
    }
    for style in [UIUserInterfaceStyle.dark, .light, .dark] { view.overrideUserInterfaceStyle = style }
    #expect(styles.isEmpty)
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    #expect(styles == [.dark])
  }

  @Test func `a handler of the display scale is called only when the scale changes`() {
    let view = UIView()
    var scales: [Double] = []
    view.registerForTraitChanges([UITraitDisplayScale.self]) { (view: UIView, _: UITraitCollection) in
      scales.append(view.traitCollection.displayScale)
    }
    view.overrideUserInterfaceStyle = .dark
    view.traitOverrides.displayScale = 2
    view.updateTraitsIfNeeded()
    #expect(scales == [2])
  }
}
