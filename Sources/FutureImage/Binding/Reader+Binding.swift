extension FutureImage {
  /// Puts the best available image into the place: the image itself, a carrier with fewer pixels, or this future.
  @MainActor func bind(_ place: Place, _ presentation: Presentation? = nil) {
    let reader = reader(for: place)
    BoundPlaces.shared.end(place)
    guard let reader else {
      reportWithoutSource()
      return place.put(self)
    }
    reader.bind(place, presentation, to: self)
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
    for reader in root.readersInUse { reader.measureViews(restartingIfGrown: true) }
  }
}

/// The places that show the image. They belong to the reader and not to its future, so that a view follows its image after the future is
/// gone.
@MainActor extension Reader {
  fileprivate func bind(_ place: Place, _ presentation: FutureImage.Presentation?, to future: FutureImage) {
    // The reader of a ready image gets no later event on which to prune stale bindings, so each new binding prunes at most one. The list
    // therefore never outgrows its former maximum.
    var hasForgotten = false
    forget { binding in
      if binding.isIn(place) { return true }
      if hasForgotten || binding.isCurrent { return false }
      hasForgotten = true
      return true
    }
    let known = descriptor.loader.state.withLock { _ -> (revision: UInt32, fullSize: FutureImage.PixelSize?, best: UIImage?)? in
      if demand == .deferred { return nil }
      if !isBound {
        isBound = true
        if self.future == nil { self.future = future }
      }
      watch(presentation == nil ? .images : .phase)
      return (revision, fullSize, isOutdated ? nil : largestDecode)
    }
    guard let known else {
      start()
      return bind(place, presentation, to: future)
    }
    // The recognizer of a former image, whose future is gone.
    if presentation != nil, let view = place.uiView { RetryTap.leave(view) }
    let binding = FutureImage.Binding(place, revision: known.revision, presentation: presentation)
    if let presented = binding.presented { BoundPlaces.shared.register(place, to: binding, presented.look) }
    if let text = descriptor.alternativeText { describe(place, as: text, binding) }
    // No closures here or in the calls for each view: each would check whether it runs on the main actor.
    var need: DecodeStep?
    if let fullSize = known.fullSize, let step = self.need(of: binding, in: place, fullSize) {
      binding.noteNeed(step)
      need = step
    }
    let image = known.fullSize == nil ? nil : offer(for: need, having: known.best)
    bindings.append(binding)
    put(image, of: future, need: need, into: binding, in: place, known.revision, isFirst: false)
    let isServed = if let image { image.step >= need ?? .full } else { false }
    if !isServed { descriptor.loader.loadMissing(self, need.map { [$0] } ?? [], retrying: .unlessRemembered) }
    if presentation != nil { present(applyingAppearance(to: withLock(\.phase)), of: future, in: binding) }
    if binding.isOfSubscription { showFailure(inSubscriptionOf: binding) }
    if presentation?.previewInterval != nil { descriptor.loader.wantPreviews(of: self) }
  }

  private func describe(_ place: Place, as text: String, _ binding: FutureImage.Binding) {
    guard let view = place.describedView else { return }
    let look = binding.presented?.look ?? PresentedLook()
    look.describe(view, as: text)
    if binding.presented == nil { BoundPlaces.shared.register(place, to: binding, look) }
  }

  /// Shows the failure in which the image has ended, or that there is none, in a subscription.
  func showFailure(inSubscriptionOf binding: FutureImage.Binding) {
    guard binding.isCurrent, case .subscription(let subscription) = binding.place else { return }
    if case .failed(let failure) = withLock(\.phase) { subscription.show(failure) } else { subscription.show(nil) }
  }

  /// Returns the step that the place needs of an image of that size; nil for a subscription whose size is not known yet.
  func need(of binding: FutureImage.Binding, in place: Place, _ fullSize: FutureImage.PixelSize) -> DecodeStep? {
    let contentMode = binding.presented?.presentation.contentModes?.picture
    if let fitting = place.pixelFitting(contentMode) { return DecodeStep(showing: fullSize, fitting) }
    // The app sets the size of a subscription. A view is only asked for its size, so a view without one gets the fallback.
    if case .subscription = place { return nil }
    return DecodeStep(showing: fullSize, .fit(descriptor.loader.configuration.fallbackPixels))
  }

  /// Returns the best image that can be shown at once.
  /// - Parameter need: nil if any pixels will do for now.
  private func offer(for need: DecodeStep?, having best: UIImage?) -> UIImage? {
    let loader = descriptor.loader
    if let best, best.step >= need ?? best.step {
      loader.countPoolHit()
      return best
    }
    return loader.change { state in
      loader.catchUp(self, &state)
      let (variant, known) = (variant(), state.retained(self.largestDecode))
      var found = need.flatMap { loader.pooled(variant, atLeast: $0, &state) }
      if found == nil, known == nil { found = loader.pooled(variant, &state) }
      guard let image = found, image !== known else { return best }
      loader.countPoolHit()
      loader.adopt(image, self, &state)
      return image
    }
  }

  /// - Parameters:
  ///   - future: nil if it is gone.
  ///   - isFirst: whether these are the first pixels there, and arrived after the future was bound.
  private func put(
    _ image: UIImage?, of future: FutureImage?, need: DecodeStep?, into binding: FutureImage.Binding, in place: Place, _ revision: UInt32,
    isFirst: Bool
  ) {
    let shown: UIImage =
      switch image {
      case nil: placeholder(of: future, in: binding)
      case let image? where image.step >= need ?? .full && !descriptor.hasVariants: applyingAppearance(to: image, in: place)
      case let image?: carrier(of: applyingAppearance(to: image, in: place), for: future, in: binding)
      }
    binding.step = image?.step
    binding.revision = revision
    guard let presented = binding.presented else {
      binding.willShow(shown)
      return place.put(shown)
    }
    presented.showsFailure = false
    presented.showsPreview = false
    let modes = presented.presentation.contentModes
    present(
      shown, to: binding, contentMode: image == nil ? modes?.placeholder : modes?.picture,
      transition: isFirst ? presented.presentation.transition : nil)
  }

  /// Shows a new image in every place that still shows the last image from here, if it serves the place better: it has more pixels where
  /// the place lacks some, or exactly the needed ones where the place was lent the larger ones of another place.
  /// - Parameters:
  ///   - future: nil if it is gone.
  ///   - revision: the image's revision; if the image has been replaced by now, the newer one is still to arrive.
  func show(_ image: UIImage, of future: FutureImage?, _ revision: UInt32) {
    for binding in bindings {
      guard let place = binding.place else { continue }
      let there = place.image
      guard binding.isShowing(there) || there === image && !binding.isOver else { continue }
      let need = withLock(\.fullSize).flatMap { self.need(of: binding, in: place, $0) }
      if binding.revision == revision, let step = binding.step {
        let need = need ?? .full
        // Race: a cell that keeps too few pixels.
        guard step < need && step < image.step || step > need && image.step == need else { continue }
      }
      // Reading from the places may have added or removed bindings.
      guard bindings.contains(where: { $0 === binding }), isNewest(binding, in: place) else { continue }
      put(image, of: future, need: need, into: binding, in: place, revision, isFirst: binding.step == nil)
    }
  }

  /// Shows the placeholder in every place that still shows an image of an older generation.
  /// - Parameter future: nil if it is gone. Such a place becomes empty.
  func showPlaceholder(of future: FutureImage?, at revision: UInt32) {
    for binding in bindings where binding.step != nil && binding.revision < revision {
      guard let place = binding.place, binding.isCurrent, isNewest(binding, in: place) else { continue }
      put(nil, of: future, need: nil, into: binding, in: place, revision, isFirst: false)
    }
  }

  /// Measures the places, and requests the pixels that they lack. Releases the bytes that were retained for this. If the future is gone and
  /// no place shows the image any more, the reader ends.
  /// - Parameter restartingIfGrown: whether to retry after a transient failure if a view has grown.
  func measureViews(restartingIfGrown: Bool = false) {
    let loader = descriptor.loader
    let (fullSize, revision, wasUnmeasured) = withLock { ($0.fullSize, $0.revision, $0.isUnmeasured) }
    guard forgetStale(), let fullSize else { return }
    var (steps, hasGrown): (Set<DecodeStep>, Bool) = ([], false)
    for binding in bindings {
      guard let place = binding.place, let need = need(of: binding, in: place, fullSize) else { continue }
      if binding.noteNeed(need) { hasGrown = true }
      guard binding.revision != revision || binding.step.map({ $0 < need }) ?? true else { continue }
      if isNewest(binding, in: place) { steps.insert(need) }
    }
    if !steps.isEmpty { loader.loadMissing(self, steps, retrying: restartingIfGrown && hasGrown ? .unlessRemembered : .no) }
    let isBound = !bindings.isEmpty
    loader.state.withLock { state in
      self.isBound = isBound
      guard wasUnmeasured, self.revision == revision, let picture else { return }
      loader.endMeasuring(self)
      loader.releaseUnneededBytes(picture, &state)
    }
  }

  /// Forgets the places that show something else by now. If the future is gone and no place is left, the reader ends.
  /// - Returns: whether it goes on.
  private func forgetStale() -> Bool {
    forget { !$0.isCurrent }
    guard bindings.isEmpty, withLock(\.isFollower) else { return true }
    descriptor.loader.unregister(self)
    return false
  }

  /// The followers of all loaders whose image a view showed at the last look. Each new one looks at a few others, because nothing reports
  /// that a view is gone.
  private static var followers = FIFO<Reader>()

  /// Ends what the places show for the future, which is gone. Those that still show the image follow it from now on: they get the result of
  /// a reload, and the photos that the app sets.
  func follow() {
    for binding in bindings { binding.endPresentation() }
    guard forgetStale() else { return }
    for binding in bindings {
      if let place = binding.place { _ = isNewest(binding, in: place) }
    }
    Self.followers.append(self)
    // Views are read, which may call the app, so not while the list is changed.
    for _ in 0..<4 {
      guard let reader = Self.followers.popFirst() else { return }
      if reader.forgetStale() { Self.followers.append(reader) }
    }
  }

  /// Whether no other future of the image has been bound there since; otherwise the binding ends. The image in the place cannot answer
  /// this: both futures may have put the same object there.
  private func isNewest(_ binding: FutureImage.Binding, in place: Place) -> Bool {
    // A placeholder or preview of this binding identifies the future, so no other one has the place. The future's other reader has
    // left the place when this one was bound there.
    guard binding.step != nil || !binding.isCurrent else { return true }
    let others = withLock(\.boundOthers)
    // Race: a former future that goes on giving a recycled view its picture.
    let isNewest = !others.contains { other in other.bindings.contains { $0.isNewer(than: binding) && $0.isIn(place) } }
    if isNewest { return true }
    forget { $0 === binding }
    return false
  }

  /// Ends the bindings of the place.
  func leave(_ place: Place) { forget { $0.isIn(place) } }

  /// Removes matching bindings. Reading a view's image may re-enter this, so not while the list itself is changed.
  private func forget(where isOver: @MainActor (FutureImage.Binding) -> Bool) {
    var index = 0
    while index < bindings.count {
      let binding = bindings[index]
      let turn = binding.writeCount
      // Skip a binding that was given an image meanwhile, and another binding at its index.
      guard isOver(binding), binding.writeCount == turn, index < bindings.count, bindings[index] === binding else {
        index += 1
        continue
      }
      bindings.remove(at: index)
      binding.end()
    }
  }
}

extension Reader {
  /// The other readers of the picture that views may show.
  fileprivate var boundOthers: [Reader] {
    guard let picture, picture.readers.count > 1 else { return [] }
    return picture.readers.filter { $0 !== self && $0.isBound }
  }
}
