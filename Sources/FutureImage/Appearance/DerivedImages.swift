/// The images that were derived from one image and still exist. There is one image for each change.
///
/// UIKit, too, returns the same image for the same rendering mode. Without this list, code that derives an image at each update of a cell,
/// or in a layout, would show a different object each time.
final class DerivedImages: Sendable {
  /// The number of times that the list has changed, and the list.
  private let state = Lock<(version: Int, list: [Derived])>((0, []))

  private struct Derived {
    let change: FutureImage.Appearance.Change
    weak var image: BaseImage?
  }

  /// Returns the image with the change. If there is none, the closure makes it.
  func image(with change: FutureImage.Appearance.Change, _ make: () -> BaseImage) -> BaseImage {
    while true {
      let (version, list) = state.withLock { $0 }
      // Images and colors may belong to the app, so they are compared and released outside the lock.
      let living = list.compactMap { entry in Scheduling.read(entry.image).map { (entry: entry, image: $0) } }
      if let known = living.first(where: { $0.entry.change == change }) { return known.image }
      let image = make()
      let entries = living.map(\.entry) + [Derived(change: change, image: image)]
      let former = state.withLock { state -> [Derived]? in
        // If the list has changed, another thread has derived an image meanwhile, perhaps with the same change.
        guard state.version == version else { return nil }
        defer { state = (version + 1, entries) }
        return state.list
      }
      if former != nil { return image }
    }
  }
}
