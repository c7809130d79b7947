/// The views that show a future with an image for dark mode. When UIKit reports that a view's style has changed, its futures choose their
/// image again.
///
/// A view is registered once and permanently: UIKit ends a registration with its view (Apple, `UITraitChangeObservable`). The image that a
/// view shows is not stored here, but read from the view.
///
/// UIKit takes a snapshot of an app in either style when the app enters the background, and its views change their style twice for that
/// (stackoverflow.com, question 63372828). No image is fetched for a snapshot: scenes in the background wait until they return.
@MainActor final class StyleWatch {
  static let shared = StyleWatch()

  private struct Entry {
    weak var view: UIView?
    /// The view itself, and those of its slots that have shown such a future.
    var places: [Place.ID: WeakPlace] = [:]
  }

  private var entries: [ObjectIdentifier: Entry] = [:]
  /// Rounds over the keys of `entries`.
  private var rounds = Rounds<ObjectIdentifier>()

  private init() {
    // Permanent, like this object.
    _ = NotificationCenter.default.addObserver(forName: UIScene.willEnterForegroundNotification, object: nil, queue: nil) { _ in
      Task { @MainActor in StyleWatch.shared.lookAgain() }
    }
  }

  /// The number of registered views.
  var count: Int { entries.count }

  /// Makes the futures in the place choose their image again when the view's style changes.
  func watch(_ place: Place, in view: UIView) {
    let id = ObjectIdentifier(view)
    // The identifier may be that of a released view.
    if entries[id]?.view !== view {
      if entries.updateValue(Entry(view: view), forKey: id) == nil { rounds.add(id) }
      view.registerForTraitChanges([UITraitUserInterfaceStyle.self]) { (view: UIView, _: UITraitCollection) in
        if view.window?.windowScene?.activationState != .background { StyleWatch.shared.styleChanged(of: view) }
      }
    }
    if entries[id]?.places[place.id] == nil { entries[id]?.places[place.id] = WeakPlace(place) }
    rounds.look { !forgetIfGone($0) }
  }

  /// Responds to a scene that returns to the foreground: its style may have changed.
  private func lookAgain() {
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
