/// The places that show a future with a presentation, and the newest such binding of each.
///
/// The image in a place does not identify its future: two futures of one image put the same object there. So a new binding ends the
/// presentation that the place had. A former binding without a presentation does nothing that the new one does not do.
@MainActor final class BoundPlaces {
  static let shared = BoundPlaces()

  private struct Entry {
    /// The view, or the slot's owner.
    weak var object: AnyObject?
    weak var binding: FutureImage.Binding?
    /// Outlives the binding, because the view remains changed.
    let look: PresentedLook
  }

  private var entries: [Place.ID: Entry] = [:]
  /// Rounds over the keys of `entries`.
  private var rounds = Rounds<Place.ID>()

  var count: Int { entries.count }

  /// Ends the presentation that the place has, and restores its view.
  func end(_ place: Place) {
    // The identifier may be that of a released object.
    guard !entries.isEmpty, let entry = entries[place.id], entry.object === place.object else { return }
    // Race: a presentation that goes on when its view is bound anew.
    entry.binding?.end()
    if let view = place.uiView { entry.look.leave(view) }
  }

  /// Ends the presentation that the place has, and restores its view, if the presentation is the one with that look.
  func end(_ place: Place, ifChangedBy look: PresentedLook) {
    if entries[place.id]?.look === look { end(place) }
  }

  /// Registers a presentation for the place.
  /// - Parameter binding: the binding that has it; nil if there is no image to bind.
  func register(_ place: Place, to binding: FutureImage.Binding?, _ look: PresentedLook) {
    // Another future may have been bound there since the place was taken: reading from a view calls the app.
    end(place)
    let id = place.id
    if entries.updateValue(Entry(object: place.object, binding: binding, look: look), forKey: id) == nil { rounds.add(id) }
    rounds.look { !forgetIfOver($0) }
  }

  private func forgetIfOver(_ id: Place.ID) -> Bool {
    if let entry = entries[id], entry.object != nil, entry.binding?.isOver == false || entry.look.isChanged { return false }
    entries[id] = nil
    return true
  }
}
