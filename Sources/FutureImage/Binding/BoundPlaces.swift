/// The places that show a future with a presentation, and the newest such binding of each.
///
/// The image that a place shows does not tell by itself whose it is: two futures of one picture put the same object there. So a binding that
/// comes ends the presentation that was there before. Former bindings without a presentation do no more than what the new one does, too.
@MainActor final class BoundPlaces {
  static let shared = BoundPlaces()

  private struct Entry {
    /// The view, or the slot's owner.
    weak var object: AnyObject?
    weak var binding: FutureImage.Binding?
    /// Outlives the future: the view has been changed all the same.
    let look: PresentedLook
  }

  private var entries: [Place.ID: Entry] = [:]
  /// Over the keys of `entries`.
  private var rounds = Rounds<Place.ID>()

  var count: Int { entries.count }

  /// Ends the presentation that the place has, and puts its view back as it was before.
  func take(_ place: Place) {
    // The identifier may be that of an object which is gone.
    guard !entries.isEmpty, let entry = entries[place.id], entry.object === place.object else { return }
    entry.binding?.end()
    if let view = place.uiView { entry.look.leave(view) }
  }

  /// The place has the binding's presentation from now on.
  func give(_ place: Place, to binding: FutureImage.Binding, _ look: PresentedLook) {
    // Others may have been bound there since it was taken: whoever asks a view calls the app.
    take(place)
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
