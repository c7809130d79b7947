extension FutureImage {
  /// A reader's record of a place: a weak reference to the place, and the last image that the reader put there. It is an object, because
  /// copying the weak references of a structure would cost more than all other work of a binding.
  @MainActor final class Binding {
    private let weakPlace: WeakPlace
    let isOfSubscription: Bool
    /// The sequence number of the binding among the bindings of all readers.
    private let number: UInt64
    private static var lastNumber: UInt64 = 0
    /// The last image that the reader put into the place.
    private(set) weak var shown: BaseImage?
    /// The identifier of that image.
    private var id: ObjectIdentifier?
    /// The frame of an animation that the place shows, without the rendering mode and the tint that it has there; nil for a still image.
    weak var frame: BaseImage?
    /// The step of the shown pixels; nil for a placeholder.
    var step: DecodeStep?
    /// The largest step that any measurement found to be needed.
    private var mostNeeded: DecodeStep?
    /// The reader's revision of the image or placeholder that the place shows. A revision is the number of times that another image has
    /// replaced the reader's image.
    var revision: UInt32
    /// The number of images that the reader has put into the place so far.
    private(set) var writeCount = 0
    private var ownedState: OnMain<PresentedState>?
    /// Whether the binding has ended, because another binding has the place, or because the reader released the place.
    private(set) var hasEnded = false

    init(_ place: Place, revision: UInt32, presentation: Presentation?) {
      weakPlace = WeakPlace(place)
      isOfSubscription = if case .subscription = place { true } else { false }
      Self.lastNumber += 1
      number = Self.lastNumber
      self.revision = revision
      ownedState = presentation.map { OnMain(PresentedState($0)) }
    }

    /// The state of the presentation; nil without a presentation, and after the binding or the presentation has ended.
    var presented: PresentedState? { ownedState?.object }

    /// The place; nil after its view or owner was released.
    var place: Place? { weakPlace.place }

    func isIn(_ place: Place) -> Bool { weakPlace.isSame(as: place) }

    func isNewer(than other: Binding) -> Bool { number > other.number }

    /// Records the image that is about to be put into the place.
    func willShow(_ image: BaseImage) {
      shown = image
      frame = nil
      id = ObjectIdentifier(image)
      if let presented {
        presented.outgoing = nil
        presented.look.shown = image
      }
      writeCount += 1
    }

    /// Ends the binding, because another binding has the place from now on. The presentation no longer calls the app, and no longer changes
    /// the place.
    func end() {
      hasEnded = true
      endPresentation()
    }

    /// Ends the presentation, because the future is gone. The place still shows the image, and later also the images that replace it.
    func endPresentation() {
      let presented = presented
      ownedState = nil
      presented?.look.removeTap()
      presented?.look.removeIndicator()
    }

    /// Records a need for pixels.
    /// - Returns: whether the need is greater than every earlier need.
    @discardableResult func noteNeed(_ need: DecodeStep) -> Bool {
      guard mostNeeded.map({ $0 < need }) ?? true else { return false }
      mostNeeded = need
      return true
    }

    /// Whether the place still shows the image that the reader put there.
    var isCurrent: Bool { isShowing(weakPlace.image) }

    /// Whether the image is the last image that the reader put there, or the outgoing image that a transition of the app has not replaced
    /// yet.
    func isShowing(_ image: BaseImage?) -> Bool {
      guard let image, !hasEnded else { return false }
      // Equal identifiers do not suffice, because an image may have the address of a released image. But different identifiers rule out
      // most images without loading a weak reference.
      return ObjectIdentifier(image) == id && image === shown || presented.map { image === $0.outgoing } ?? false
    }
  }
}

extension Reader {
  /// The bindings of the places that show the image, in the order in which they were made. They outlive the future.
  @MainActor var bindings: Bindings { Bindings(objects: bound) }
}

/// The bindings of a reader. The reader retains them without knowing their type, because the code in `Loading` does not use views.
@MainActor struct Bindings: @MainActor RandomAccessCollection {
  fileprivate let objects: [AnyObject]

  var startIndex: Int { 0 }
  var endIndex: Int { objects.count }

  // Only `bind` adds objects to a reader's list, and each of them is a binding.
  subscript(index: Int) -> FutureImage.Binding { unsafeDowncast(objects[index], to: FutureImage.Binding.self) }
}
