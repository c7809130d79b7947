import Foundation

/// A trait whose changes views can observe.
public protocol UITraitDefinition {
  /// Returns the value of the trait, for comparison.
  static func value(in traits: UITraitCollection) -> AnyHashable
}

public typealias UITrait = any UITraitDefinition.Type

/// The trait for a light or dark appearance.
public struct UITraitUserInterfaceStyle: UITraitDefinition {
  public static func value(in traits: UITraitCollection) -> AnyHashable { traits.userInterfaceStyle }
}

/// The trait for the number of pixels per point.
public struct UITraitDisplayScale: UITraitDefinition {
  public static func value(in traits: UITraitCollection) -> AnyHashable { traits.displayScale }
}

/// A token that ends a registration.
@MainActor public protocol UITraitChangeRegistration: AnyObject {}

extension UIView {
  /// Calls the handler with the view and its previous traits after one of the traits has changed. As in UIKit, the handler is not called at
  /// once. UIKit calls it before the next layout. This class calls it in a later turn of the main queue, or when ``updateTraitsIfNeeded()``
  /// is called. The registration ends when the view is released.
  @discardableResult public func registerForTraitChanges<View: UIView>(
    _ traits: [UITrait], handler: @escaping (_ view: View, _ previous: UITraitCollection) -> Void
  ) -> any UITraitChangeRegistration {
    let observer = TraitObserver(traits, traitCollection) { view, previous in
      if let view = view as? View { handler(view, previous) }
    }
    traitObservers.append(observer)
    return observer
  }

  /// Calls the handlers of this view and its subviews for the traits that have changed.
  public func updateTraitsIfNeeded() {
    hasTraitUpdate = false
    for observer in traitObservers { observer.notify(self) }
    for view in subviews { view.updateTraitsIfNeeded() }
  }

  func setNeedsTraitUpdate() {
    guard !traitObservers.isEmpty, !hasTraitUpdate else { return }
    hasTraitUpdate = true
    Task { [weak self] in if self?.hasTraitUpdate == true { self?.updateTraitsIfNeeded() } }
  }

  public func unregisterForTraitChanges(_ registration: any UITraitChangeRegistration) {
    traitObservers.removeAll { $0 === registration }
  }
}

@MainActor final class TraitObserver: UITraitChangeRegistration {
  private let traits: [UITrait]
  private var last: UITraitCollection
  private let handler: (UIView, UITraitCollection) -> Void

  init(_ traits: [UITrait], _ now: UITraitCollection, _ handler: @escaping (UIView, UITraitCollection) -> Void) {
    self.traits = traits
    last = now
    self.handler = handler
  }

  func notify(_ view: UIView) {
    let (now, previous) = (view.traitCollection, last)
    last = now
    if traits.contains(where: { $0.value(in: now) != $0.value(in: previous) }) { handler(view, previous) }
  }
}

/// The traits that a view and its subviews use instead of those of their environment.
public struct UITraitOverrides: Sendable {
  /// Pixels per point; 0 overrides nothing.
  public var displayScale: CGFloat = 0
  public var userInterfaceStyle = UIUserInterfaceStyle.unspecified

  var isEmpty: Bool { displayScale <= 0 && userInterfaceStyle == .unspecified }

  func applied(to traits: UITraitCollection) -> UITraitCollection {
    UITraitCollection(
      displayScale: displayScale > 0 ? displayScale : traits.displayScale,
      style: userInterfaceStyle == .unspecified ? traits.userInterfaceStyle : userInterfaceStyle,
      direction: traits.layoutDirection, idiom: traits.userInterfaceIdiom)
  }
}
