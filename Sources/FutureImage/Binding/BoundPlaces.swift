/// The places that show a future with a presentation or an alternative text, and the newest such binding of each place.
///
/// The image in a place does not identify its future, because two futures of one image put the same object there. So each new binding ends
/// the former presentation of its place. A former binding without a presentation may continue, because it does only what the new binding
/// does, too.
@MainActor final class BoundPlaces {
  static let shared = BoundPlaces()

  private struct Entry {
    /// The view, or the slot's owner.
    weak var object: AnyObject?
    weak var binding: FutureImage.Binding?
    /// The look outlives the binding, because the view remains changed.
    let look: PresentedLook
  }

  private var entries: [Place.ID: Entry] = [:]
  /// The rounds that check the keys of `entries`, so that entries that are no longer needed are removed.
  private var rounds = Rounds<Place.ID>()

  var count: Int { entries.count }

  /// Ends the presentation in the place, and restores the place's view.
  func end(_ place: Place) {
    // The entry may be that of a released object whose address the object of this place has now.
    guard !entries.isEmpty, let entry = entries[place.id], entry.object === place.object else { return }
    // Race: a presentation that continues after its view was bound to another future.
    entry.binding?.end()
    if let view = place.platformView { entry.look.restore(view) }
  }

  /// Ends the presentation in the place and restores the place's view, but only if the presentation has this look.
  func end(_ place: Place, ifChangedBy look: PresentedLook) {
    if entries[place.id]?.look === look { end(place) }
  }

  /// Registers a presentation for the place, or a view that has the alternative text of its image.
  /// - Parameter binding: the binding with the presentation or the text; nil if there is no image to bind.
  func register(_ place: Place, to binding: FutureImage.Binding?, _ look: PresentedLook) {
    // The former presentation has already ended. But reading from a view calls the app, which may have bound another future since.
    end(place)
    let id = place.id
    if entries.updateValue(Entry(object: place.object, binding: binding, look: look), forKey: id) == nil { rounds.add(id) }
    rounds.checkNext { !removeIfUnneeded($0) }
  }

  private func removeIfUnneeded(_ id: Place.ID) -> Bool {
    if let entry = entries[id], entry.object != nil, entry.binding?.hasEnded == false || entry.look.isChanged { return false }
    entries[id] = nil
    return true
  }
}
