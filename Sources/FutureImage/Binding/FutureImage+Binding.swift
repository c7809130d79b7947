extension FutureImage {
  /// A place that shows this future, and its last image. It is an object because copying weak references costs more than all else here.
  @MainActor final class Binding {
    private let spot: WeakPlace
    let isOfLease: Bool
    /// A sequence number over the bindings of all futures.
    private let number: UInt64
    private static var lastNumber: UInt64 = 0
    private(set) weak var shown: UIImage?
    private var id: ObjectIdentifier?
    /// The step of the shown pixels; nil for a placeholder.
    var step: Step?
    /// The most pixels that any measurement found to be needed.
    private var mostNeeded: Step?
    var revision: UInt32
    /// The number of images given so far.
    private(set) var turn = 0
    private var held: OnMain<PresentedState>?
    /// Whether the place was given to another binding, or released.
    private(set) var isOver = false

    init(_ place: Place, revision: UInt32, presentation: Presentation?) {
      spot = WeakPlace(place)
      isOfLease = if case .lease = place { true } else { false }
      Self.lastNumber += 1
      number = Self.lastNumber
      self.revision = revision
      held = presentation.map { OnMain(PresentedState($0)) }
    }

    /// Nil without a presentation, and once the binding has ended.
    var presented: PresentedState? { held?.object }

    /// Nil once the view or the owner is gone.
    var place: Place? { spot.place }

    func isIn(_ place: Place) -> Bool { spot.isSame(as: place) }

    func isNewer(than other: Binding) -> Bool { number > other.number }

    /// Records the image about to be put into the place.
    func give(_ image: UIImage) {
      shown = image
      id = ObjectIdentifier(image)
      if let presented {
        presented.outgoing = nil
        presented.look.shown = image
      }
      turn += 1
    }

    /// Ends the binding: another one has the place from now on. Its presentation calls and does nothing there anymore.
    func end() {
      isOver = true
      endPresentation()
    }

    /// Ends the presentation, because its future is gone. The place still shows the image, and follows it.
    func endPresentation() {
      let presented = presented
      held = nil
      presented?.look.leaveTaps()
      presented?.look.leaveIndicator()
    }

    /// Records a need for pixels.
    /// - Returns: whether it is greater than ever before.
    @discardableResult func noteNeed(_ need: Step) -> Bool {
      guard mostNeeded.map({ $0 < need }) ?? true else { return false }
      mostNeeded = need
      return true
    }

    /// Whether the place still shows what the future put there.
    var stands: Bool { gave(spot.image) }

    /// Whether the image is the last one that the future put there, or the one that remains until a transition of the app changes it.
    func gave(_ image: UIImage?) -> Bool {
      guard let image, !isOver else { return false }
      // The identifier alone might be that of a released image, but it rules out most images without loading a weak reference.
      return ObjectIdentifier(image) == id && image === shown || presented.map { image === $0.outgoing } ?? false
    }
  }

  /// Puts the best available image into the place: the image itself, a carrier with fewer pixels, or this future.
  @MainActor func bind(_ place: Place, _ presentation: Presentation? = nil) {
    if let dark = darkFuture(for: place) { return dark.bind(place, presentation) }
    BoundPlaces.shared.take(place)
    guard let reader else {
      reportWithoutSource()
      return place.put(self)
    }
    let descriptor = reader.descriptor
    // A ready future gets no later event on which to prune stale bindings, so each new binding prunes at most one. The list therefore never
    // outgrows its former maximum.
    var hasForgotten = false
    forget { binding in
      if binding.isIn(place) { return true }
      if hasForgotten || binding.stands { return false }
      hasForgotten = true
      return true
    }
    let known = descriptor.loader.state.withLock { _ -> (revision: UInt32, natural: PixelSize?, best: UIImage?)? in
      if reader.demand == .deferred { return nil }
      reader.isBound = true
      if reader.future == nil { reader.future = self }
      reader.watch(presentation == nil ? .images : .phase)
      return (reader.revision, reader.natural, reader.best)
    }
    guard let known else {
      start()
      return bind(place, presentation)
    }
    // The recognizer of a former image, whose future is gone.
    if presentation != nil, let view = place.uiView { RetryTap.leave(view) }
    let binding = Binding(place, revision: known.revision, presentation: presentation)
    if let presented = binding.presented { BoundPlaces.shared.give(place, to: binding, presented.look) }
    if let text = descriptor.alternativeText { describe(place, as: text, binding) }
    // No closures here or in the calls for each view: each would check whether it runs on the main actor.
    var need: Step?
    if let natural = known.natural, let step = self.need(of: binding, in: place, natural) {
      binding.noteNeed(step)
      need = step
    }
    let image = known.natural == nil ? nil : offer(for: need, having: known.best, to: reader)
    bindings.append(binding)
    put(image, need: need, into: binding, in: place, known.revision, isFirst: false)
    let isServed = if let image { image.step >= need ?? .full } else { false }
    if !isServed { pursue(need.map { [$0] } ?? [], retrying: .unlessRefused) }
    if presentation != nil { present(phase, in: binding) }
    if case .lease(let lease) = place { lease.show(visibleFailure) }
    if presentation?.interimInterval != nil { descriptor.loader.wantInterims(of: reader) }
  }

  @MainActor private func describe(_ place: Place, as text: String, _ binding: Binding) {
    guard let view = place.describedView else { return }
    let look = binding.presented?.look ?? PresentedLook()
    look.describe(view, as: text)
    if binding.presented == nil { BoundPlaces.shared.give(place, to: binding, look) }
  }

  /// The failure in which the future has ended, as far as it is visible.
  @MainActor private var visibleFailure: Failure? {
    if case .failed(let failure) = withReader(\.phase) { failure } else { nil }
  }

  /// Shows the failure, or that there is none, in all leases.
  @MainActor func showFailureInLeases() {
    for binding in bindings where binding.isOfLease && binding.stands {
      if case .lease(let lease) = binding.place { lease.show(visibleFailure) }
    }
  }

  /// Returns the step that the place needs of an image of that size; nil for a lease whose size is not known yet.
  @MainActor func need(of binding: Binding, in place: Place, _ natural: PixelSize) -> Step? {
    let contentMode = binding.presented?.presentation.contentModes?.picture
    if let fitting = place.pixelFitting(contentMode) { return Step(showing: natural, fitting) }
    // The app sets the size of a lease. A view is only asked for its size, so a view without one gets the fallback.
    if case .lease = place { return nil }
    return Step(showing: natural, .fit(descriptor?.loader.configuration.fallbackPixels ?? PixelSize(width: 0, height: 0)))
  }

  /// Returns the best image that can be shown at once.
  /// - Parameter need: nil if any pixels will do for now.
  @MainActor private func offer(for need: Step?, having best: UIImage?, to reader: Reader) -> UIImage? {
    let loader = reader.descriptor.loader
    if let best, best.step >= need ?? best.step {
      loader.countPoolHit()
      return best
    }
    return loader.change { state in
      guard let image = loader.available(for: need, to: reader, &state) else { return best }
      loader.countPoolHit()
      loader.adopt(image, reader, &state)
      return image
    }
  }

  /// - Parameter isFirst: whether these are the first pixels there, and arrived after the future was bound.
  @MainActor private func put(
    _ image: UIImage?, need: Step?, into binding: Binding, in place: Place, _ revision: UInt32, isFirst: Bool
  ) {
    let shown: UIImage =
      switch image {
      case nil: placeholder(in: binding)
      case let image? where image.step >= need ?? .full && descriptor?.hasVariants != true: applyingAppearance(to: image, in: place)
      case let image?: carrier(of: applyingAppearance(to: image, in: place), in: binding)
      }
    binding.step = image?.step
    binding.revision = revision
    guard let presented = binding.presented else {
      binding.give(shown)
      return place.put(shown)
    }
    let former = binding.shown
    binding.give(shown)
    presented.showsFailure = false
    presented.showsInterim = false
    let modes = presented.presentation.contentModes
    show(
      shown, instead: former, in: binding, contentMode: image == nil ? modes?.placeholder : modes?.picture,
      transition: isFirst ? presented.presentation.transition : nil)
  }

  /// Shows a new image in every place that still shows the last image from this future, if it serves the place better: it has more pixels
  /// where the place lacks some, or exactly the needed ones where the place was lent the larger ones of another place.
  /// - Parameter revision: the image's revision; if the image has been replaced by now, the newer one is still to arrive.
  @MainActor func show(_ image: UIImage, _ revision: UInt32) {
    for binding in bindings {
      guard let place = binding.place else { continue }
      let there = place.image
      guard binding.gave(there) || there === image && !binding.isOver else { continue }
      let need = (withReader(\.natural) ?? nil).flatMap { self.need(of: binding, in: place, $0) }
      if binding.revision == revision, let step = binding.step {
        let need = need ?? .full
        // Race: a cell that keeps too few pixels.
        guard step < need && step < image.step || step > need && image.step == need else { continue }
      }
      // Reading from the places may have added or removed bindings.
      guard bindings.contains(where: { $0 === binding }), isNewest(binding, in: place) else { continue }
      put(image, need: need, into: binding, in: place, revision, isFirst: binding.step == nil)
    }
  }

  /// Shows the placeholder in every place that still shows an image of an older generation.
  @MainActor func showPlaceholder(at revision: UInt32) {
    for binding in bindings where binding.step != nil && binding.revision < revision {
      guard let place = binding.place, binding.stands, isNewest(binding, in: place) else { continue }
      put(nil, need: nil, into: binding, in: place, revision, isFirst: false)
    }
  }

  /// Measures the views that show this image again, and requests the pixels that they lack. They show their current pixels until the new
  /// ones arrive.
  ///
  /// Views are measured when they are bound, and when bytes or pixels arrive. A view that grows later, by rotation, by a new layout, or by
  /// the zoom of a scroll view, shows its current pixels until you call this method:
  ///
  ///     func scrollViewDidEndZooming(_ scrollView: UIScrollView, with view: UIView?, atScale scale: CGFloat) {
  ///       photo.measureViews()
  ///     }
  ///     override func viewDidLayoutSubviews() {
  ///       super.viewDidLayoutSubviews()
  ///       photo.measureViews()
  ///     }
  ///
  /// It requests nothing if no pixels are missing, so you may call it often. A view that has become smaller keeps its pixels. An image that
  /// failed or was canceled is requested again if a view has grown, and not at each call.
  @MainActor public func measureViews() {
    root.reportWithoutSource()
    for picture in root.picturesInUse { picture.pursueForViews(restartingIfGrown: true) }
  }

  /// Measures the places, and requests the pixels that they lack. Releases the bytes that were retained for this.
  /// - Parameter restartingIfGrown: whether to retry after a transient failure if a view has grown.
  @MainActor func pursueForViews(restartingIfGrown: Bool = false) {
    guard let reader else { return }
    let loader = reader.descriptor.loader
    let (natural, revision, wasUnmeasured) = loader.state.withLock { _ in (reader.natural, reader.revision, reader.isUnmeasured) }
    forget { !$0.stands }
    guard let natural else { return }
    var (steps, hasGrown): (Set<Step>, Bool) = ([], false)
    for binding in bindings {
      guard let place = binding.place, let need = need(of: binding, in: place, natural) else { continue }
      if binding.noteNeed(need) { hasGrown = true }
      guard binding.revision != revision || binding.step.map({ $0 < need }) ?? true else { continue }
      if isNewest(binding, in: place) { steps.insert(need) }
    }
    if !steps.isEmpty { pursue(steps, retrying: restartingIfGrown && hasGrown ? .unlessRefused : .no) }
    let isBound = !bindings.isEmpty
    loader.state.withLock { state in
      reader.isBound = isBound
      guard wasUnmeasured, reader.revision == revision, let picture = reader.picture else { return }
      loader.endMeasuring(reader)
      loader.releaseUnneededBytes(picture, &state)
    }
  }

  /// Whether no other future of the image has been bound there since; otherwise the binding ends. The image in the place cannot answer
  /// this: both futures may have put the same object there.
  @MainActor private func isNewest(_ binding: Binding, in place: Place) -> Bool {
    // A placeholder or interim image of this binding identifies the future, so no other one has the place.
    guard binding.step != nil || !binding.stands, let others = withReader({ $0.boundOthers }), !others.isEmpty else { return true }
    // Race: a former future that goes on giving a recycled view its picture.
    let isNewest = !others.contains { other in other.bindings.contains { $0.isNewer(than: binding) && $0.isIn(place) } }
    if isNewest { return true }
    forget { $0 === binding }
    return false
  }

  /// Removes matching bindings. Reading a view's image may re-enter this, so not while the list itself is changed.
  @MainActor private func forget(where isOver: @MainActor (Binding) -> Bool) {
    var index = 0
    while index < bindings.count {
      let binding = bindings[index]
      let turn = binding.turn
      // Skip a binding that was given an image meanwhile, and another binding at its index.
      guard isOver(binding), binding.turn == turn, index < bindings.count, bindings[index] === binding else {
        index += 1
        continue
      }
      bindings.remove(at: index)
      binding.end()
    }
  }
}

extension FutureImage.Loader {
  /// Returns the best image for a place in the pool; nil if the reader has none to show but what it has already.
  /// - Parameter need: nil if any pixels will do for now.
  fileprivate func available(for need: Step?, to reader: Reader, _ state: inout State) -> UIImage? {
    let variant = reader.variant()
    let best = state.retained(reader.best)
    var (image, losers) = need.map { pool.find(variant, atLeast: $0) } ?? (nil, PixelPool.Losers())
    if !losers.isEmpty { state.departed.add(losers) }
    if image == nil, best == nil {
      (image, losers) = pool.findLargest(variant)
      if !losers.isEmpty { state.departed.add(losers) }
    }
    return image === best ? nil : image
  }
}

extension Reader {
  /// The other futures of the picture that views may show. They leave the lock with the caller.
  fileprivate var boundOthers: [FutureImage] {
    guard let picture, picture.readers.count > 1 else { return [] }
    return picture.readers.compactMap { $0 !== self && $0.isBound ? $0.future : nil }
  }
}
