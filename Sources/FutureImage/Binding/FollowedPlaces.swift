/// The places that show an image whose future is gone: a view that got a future of which nothing else had a reference, or that of a model
/// that an equal one has replaced. Such a place still follows its image: it gets the result of a reload, and the photos that the app sets. It
/// requests nothing by itself.
@MainActor final class FollowedPlaces {
  static let shared = FollowedPlaces()

  private struct Entry {
    weak var object: AnyObject?
    let binding: FutureImage.Binding
    /// The future that took over from the one that is gone.
    let future: FutureImage
  }

  private var entries: [Place.ID: Entry] = [:]
  /// Rounds over the keys of `entries`.
  private var rounds = Rounds<Place.ID>()

  /// Goes on for a future that is gone, in the places that still show its image.
  /// - Parameter bindings: those of that future.
  func follow(_ reader: Reader, _ bindings: [FutureImage.Binding]) {
    let standing = bindings.filter { $0.step != nil && $0.stands }
    guard !standing.isEmpty else { return reader.descriptor.loader.unregister(reader) }
    let future = FutureImage(following: reader, standing)
    for binding in standing {
      binding.endPresentation()
      guard let place = binding.place else { continue }
      let id = place.id
      if entries.updateValue(Entry(object: place.object, binding: binding, future: future), forKey: id) == nil { rounds.add(id) }
    }
    rounds.look { !forgetIfOver($0) }
    // A change that came after the end of the former future could be shown by nobody.
    future.commit()
  }

  /// Ends what goes on in the place, which gets another image.
  func leave(_ place: Place) {
    if !entries.isEmpty { entries[place.id] = nil }
  }

  private func forgetIfOver(_ id: Place.ID) -> Bool {
    if let entry = entries[id], entry.object != nil, entry.binding.stands { return false }
    entries[id] = nil
    return true
  }
}
