#if canImport(UIKit) || canImport(UIKitStandIn)
/// The views that show a future with an image for dark mode. When UIKit reports that a view's style has changed, the view's futures choose
/// their images again.
///
/// A view is registered once and never unregistered, because UIKit ends a registration when its view is released (Apple,
/// `UITraitChangeObservable`). The image that a view shows is not stored here. It is read from the view.
///
/// When an app enters the background, UIKit takes a snapshot of it in each style. For this, the app's views change their style twice
/// (stackoverflow.com, question 63372828). No image is fetched for a snapshot, because the views of a scene in the background are not
/// updated until the scene returns.
@MainActor final class StyleWatch {
  static let shared = StyleWatch()

  private struct Entry {
    weak var view: UIView?
    /// The view itself, and each of its slots that has shown a future with an image for dark mode.
    var places: [Place.ID: WeakPlace] = [:]
  }

  private var entries: [ObjectIdentifier: Entry] = [:]
  /// The rounds that check the keys of `entries`, so that entries of released views are removed.
  private var rounds = Rounds<ObjectIdentifier>()

  private init() {
    // The observer is never removed, because this object is never released.
    _ = NotificationCenter.default.addObserver(forName: UIScene.willEnterForegroundNotification, object: nil, queue: nil) { _ in
      Scheduling.onMain { MainActor.assumeIsolated { StyleWatch.shared.updateAll() } }
    }
  }

  /// The number of registered views.
  var count: Int { entries.count }

  /// Makes the future in the place choose its image for light or dark mode again whenever the view's style changes.
  func watch(_ place: Place, in view: UIView) {
    let id = ObjectIdentifier(view)
    // The entry may be that of a released view whose address this view has now.
    if entries[id]?.view !== view {
      if entries.updateValue(Entry(view: view), forKey: id) == nil { rounds.add(id) }
      view.registerForTraitChanges([UITraitUserInterfaceStyle.self]) { (view: UIView, _: UITraitCollection) in
        if view.window?.windowScene?.activationState != .background { StyleWatch.shared.styleChanged(of: view) }
      }
    }
    if entries[id]?.places[place.id] == nil { entries[id]?.places[place.id] = WeakPlace(place) }
    rounds.checkNext { !forgetIfGone($0) }
  }

  /// Responds to a scene that returns to the foreground, because its style may have changed.
  private func updateAll() {
    for view in entries.values.compactMap(\.view) { styleChanged(of: view) }
  }

  private func styleChanged(of view: UIView) {
    for place in (entries[ObjectIdentifier(view)]?.places ?? [:]).values {
      guard let place = place.place, let shown = place.image as? FutureImage else { continue }
      shown.root.styleChanged(in: place)
    }
  }

  private func forgetIfGone(_ id: ObjectIdentifier) -> Bool {
    guard entries[id]?.view == nil else { return false }
    entries[id] = nil
    return true
  }
}
#endif
