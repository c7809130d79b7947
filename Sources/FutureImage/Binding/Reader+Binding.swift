extension FutureImage {
  /// Puts the best available image into the place: the image itself, a carrier (a private future with fewer pixels than needed), or this
  /// future.
  @MainActor func bind(_ place: Place, _ presentation: Presentation? = nil) {
    let reader = reader(for: place)
    BoundPlaces.shared.end(place)
    guard let reader else {
      reportWithoutSource()
      return place.put(self)
    }
    reader.bind(place, presentation, to: self)
  }

  /// Measures again all views that show this image, and requests the pixels that they lack. The views show their current pixels until the
  /// new pixels arrive.
  ///
  /// Views are measured when they are bound, and when bytes or pixels arrive. Image views and buttons of AppKit are also measured when
  /// their size or their display changes. Any other view may grow later, by rotation, by a new layout, or by the zoom of a scroll view. It
  /// then shows its current pixels until you call this method:
  ///
  ///     func scrollViewDidEndZooming(_ scrollView: UIScrollView, with view: UIView?, atScale scale: CGFloat) {
  ///       photo.measureViews()
  ///     }
  ///     override func viewDidLayoutSubviews() {
  ///       super.viewDidLayoutSubviews()
  ///       photo.measureViews()
  ///     }
  ///
  /// This method requests nothing if no pixels are missing, so you may call it often. A view that has become smaller retains its pixels. An
  /// image that failed or was canceled is requested again only if a view has grown.
  @MainActor public func measureViews() {
    root.reportWithoutSource()
    for reader in root.readersInUse { reader.measureViews(restartingIfGrown: true) }
  }
}

/// The places that show the image. They belong to the reader instead of its future, so that a view gets changes of its image after the
/// future is gone.
@MainActor extension Reader {
  fileprivate func bind(_ place: Place, _ presentation: FutureImage.Presentation?, to future: FutureImage) {
    // The reader of a ready image gets no later event that could remove stale bindings. So each new binding removes one stale binding, if
    // there is one. Thus the list grows only if no binding in it is stale.
    var hasForgotten = false
    forget { binding in
      if binding.isIn(place) { return true }
      if hasForgotten || binding.isCurrent { return false }
      hasForgotten = true
      return true
    }
    let known = descriptor.loader.state.withLock { _ -> (revision: UInt32, fullSize: FutureImage.PixelSize?, best: BaseImage?)? in
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
    // Removes the recognizer of a former image whose future is gone.
    if presentation != nil, let view = place.platformView { RetryTap.removeAll(from: view) }
    let binding = FutureImage.Binding(place, revision: known.revision, presentation: presentation)
    if let presented = binding.presented { BoundPlaces.shared.register(place, to: binding, presented.look) }
    if let text = descriptor.alternativeText { describe(place, as: text, binding) }
    // This code, and the code that it calls for each view, has no closures, because each call of a closure would check whether it runs on
    // the main actor.
    var need: DecodeStep?
    if let fullSize = known.fullSize, let step = self.need(of: binding, in: place, fullSize) {
      binding.noteNeed(step)
      need = step
    }
    let image = known.fullSize == nil ? nil : offer(for: need, having: known.best)
    bound.append(binding)
    if case .slot(let slot, let owner) = place { slot.onBinding?(owner, slot.name, self) }
    put(image, of: future, need: need, into: binding, in: place)
    let isServed = if let image { image.step >= need ?? .full } else { false }
    if !isServed { descriptor.loader.loadMissing(self, need.map { [$0] } ?? [], retrying: .unlessRemembered) }
    if presentation != nil { present(applyingAppearance(to: withLock(\.phase)), of: future, in: binding) }
    if binding.isOfSubscription { showFailure(inSubscriptionOf: binding) }
    if presentation?.previewInterval != nil { descriptor.loader.requestPreviews(of: self) }
  }

  private func describe(_ place: Place, as text: String, _ binding: FutureImage.Binding) {
    guard let view = place.describedView else { return }
    let look = binding.presented?.look ?? PresentedLook()
    look.describe(view, as: text)
    if binding.presented == nil { BoundPlaces.shared.register(place, to: binding, look) }
  }

  /// Shows the image's failure in a subscription. If the image has not failed, removes the former failure.
  func showFailure(inSubscriptionOf binding: FutureImage.Binding) {
    guard binding.isCurrent, case .subscription(let subscription) = binding.place else { return }
    if case .failed(let failure) = withLock(\.phase) { subscription.show(failure) } else { subscription.show(nil) }
  }

  /// Returns the step that the place needs of an image of that size; nil for a subscription whose box is not known yet.
  func need(of binding: FutureImage.Binding, in place: Place, _ fullSize: FutureImage.PixelSize) -> DecodeStep? {
    let contentMode = binding.presented?.presentation.contentModes?.image
    if let fitting = place.pixelFitting(contentMode) { return DecodeStep(showing: fullSize, fitting) }
    // A subscription needs no pixels until the app sets its box. A view without a size gets the fallback.
    if case .subscription = place { return nil }
    return DecodeStep(showing: fullSize, .fit(descriptor.loader.configuration.fallbackPixels))
  }

  /// Returns the best image that can be shown at once.
  /// - Parameters:
  ///   - need: the step that is needed; nil if any pixels suffice for now.
  ///   - best: the largest decode that the reader already has; nil if there is none.
  private func offer(for need: DecodeStep?, having best: BaseImage?) -> BaseImage? {
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

  /// - Parameter future: the future; nil if it is gone.
  private func put(
    _ image: BaseImage?, of future: FutureImage?, need: DecodeStep?, into binding: FutureImage.Binding, in place: Place
  ) {
    let image = image.map { current($0) }
    defer { if let image { play(image, in: binding) } }
    // Only the first pixels in the place have a transition, and only if they arrive after the future was bound.
    let isFirst = image != nil && binding.step == nil && binding.writeCount > 0
    let shown: BaseImage =
      switch image {
      case nil: placeholder(of: future, in: binding)
      case let image? where image.step >= need ?? .full && !descriptor.hasVariants: applyingAppearance(to: image, in: place)
      case let image?: carrier(of: applyingAppearance(to: image, in: place), for: future, in: binding)
      }
    binding.step = image?.step
    guard let presented = binding.presented else {
      binding.willShow(shown)
      return place.put(shown)
    }
    presented.showsFailure = false
    presented.showsPreview = false
    let modes = presented.presentation.contentModes
    present(
      shown, to: binding, contentMode: image == nil ? modes?.placeholder : modes?.image,
      transition: isFirst ? presented.presentation.transition : nil)
  }

  /// Shows a new image in the places that still show the last image from this reader. A place gets the new image if the place shows no
  /// pixels of this revision, or if the new image suits the place better. The new image suits a place better in two cases. Either the place
  /// lacks pixels and the image has more, or the image has exactly the needed pixels and the place shows more, which were decoded for
  /// another place.
  /// - Parameters:
  ///   - future: the future; nil if it is gone.
  ///   - revision: the revision of the image. If another image has already replaced this one, the newer image arrives later.
  func show(_ image: BaseImage, of future: FutureImage?, _ revision: UInt32) {
    for binding in bindings {
      guard let place = binding.place else { continue }
      let placeImage = place.image
      guard binding.isShowing(placeImage) || placeImage === image && !binding.hasEnded else { continue }
      let need = withLock(\.fullSize).flatMap { self.need(of: binding, in: place, $0) }
      if binding.revision == revision, let step = binding.step {
        let need = need ?? .full
        // Race: a cell that stays at too few pixels.
        guard step < need && step < image.step || step > need && image.step == need else { continue }
      }
      // Reading from the places may have added or removed bindings.
      guard bindings.contains(where: { $0 === binding }), isNewest(binding, in: place) else { continue }
      binding.revision = revision
      put(image, of: future, need: need, into: binding, in: place)
    }
  }

  /// Shows the placeholder in every place that still shows an image of an older revision.
  /// - Parameter owner: the reader's future; nil if it is gone. The places then become empty.
  func showPlaceholder(of owner: Owner?, at revision: UInt32) {
    let future = Self.future(owner)
    for binding in bindings where binding.step != nil && binding.revision < revision {
      guard let place = binding.place, binding.isCurrent, isNewest(binding, in: place) else { continue }
      binding.revision = revision
      put(nil, of: future, need: nil, into: binding, in: place)
    }
  }

  /// Measures the places, and requests the pixels that they lack. Releases the bytes that were retained for this measurement. If the future
  /// is gone and no place shows the image anymore, unregisters the reader.
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

  /// Ends the bindings of the places that now show something else. If the future is gone and no place is left, unregisters the reader.
  /// - Returns: whether the reader is still in use.
  private func forgetStale() -> Bool {
    forget { !$0.isCurrent }
    guard bindings.isEmpty, withLock(\.isFollower) else { return true }
    descriptor.loader.unregister(self)
    return false
  }

  /// The followers of all loaders. A follower is a reader whose future is gone, but whose image was in a view at the last check. Each new
  /// follower causes a check of up to four followers, because nothing reports that a view is gone.
  private static var followers = FIFO<Reader>()

  /// Ends the presentations in the places, because the future is gone. The places that still show the image get its changes from now on:
  /// the result of a reload, and the images that the app sets.
  func follow() {
    for binding in bindings { binding.endPresentation() }
    guard forgetStale() else { return }
    for binding in bindings {
      // This call ends the binding if another binding is newer in its place.
      if let place = binding.place { _ = isNewest(binding, in: place) }
    }
    Self.followers.append(self)
    // Each check reads views, which may call the app, so the follower is removed from the list before its check.
    for _ in 0..<4 {
      guard let reader = Self.followers.popFirst() else { return }
      if reader.forgetStale() { Self.followers.append(reader) }
    }
  }

  /// Returns whether this binding is the newest in the place among the bindings of all futures of the image. If it is not, the binding
  /// ends. The image in the place does not identify the binding, because two futures may have put the same object there.
  private func isNewest(_ binding: FutureImage.Binding, in place: Place) -> Bool {
    // A placeholder or preview of this binding identifies the future. While the place shows that placeholder or preview, no other future
    // has the place. If the future has another reader, for light or dark mode, that reader left the place when this reader was bound there.
    guard binding.step != nil || !binding.isCurrent else { return true }
    let others = withLock(\.boundOthers)
    // Race: a former future that continues to show its image in a recycled view.
    let isNewest = !others.contains { other in other.bindings.contains { $0.isNewer(than: binding) && $0.isIn(place) } }
    if isNewest { return true }
    forget { $0 === binding }
    return false
  }

  /// Ends the reader's bindings in the place.
  func leave(_ place: Place) { forget { $0.isIn(place) } }

  /// Ends and removes matching bindings. Reading a view's image may call this method again, so nothing is read while the list is changed.
  private func forget(where isMatch: @MainActor (FutureImage.Binding) -> Bool) {
    var index = 0
    while index < bindings.count {
      let binding = bindings[index]
      let writeCount = binding.writeCount
      // Skip the binding if it got an image meanwhile, or if another binding is now at its index.
      guard isMatch(binding), binding.writeCount == writeCount, index < bindings.count, bindings[index] === binding else {
        index += 1
        continue
      }
      bound.remove(at: index)
      binding.end()
    }
  }
}

extension Reader {
  /// The other readers of the picture that are bound, so that views may show their images.
  fileprivate var boundOthers: [Reader] {
    guard let picture, picture.readers.count > 1 else { return [] }
    return picture.readers.filter { $0 !== self && $0.isBound }
  }
}
