/// A future whose source names another image for dark mode. Dark views show that image through a second reader, which the first one owns.
///
/// Such views are given carriers of the future, never an image alone. So a view that retains its image retains both images. Code that looks
/// at a view with changed traits finds the future in it, and nothing needs to remember what the view shows.
extension FutureImage {
  /// The reader of the dark image, made on first access; nil if the source names none.
  @MainActor private var dark: Reader? {
    guard let reader, let descriptor = reader.descriptor.dark else { return nil }
    if let known = reader.withLock(\.dark) { return known }
    let dark = Reader(descriptor, isDeferred: true)
    reader.withLock { $0.dark = dark }
    return dark
  }

  /// The readers of this future's image and of the dark one; only one of them if the other has not been needed.
  var readersInUse: [Reader] {
    guard let reader else { return [] }
    guard let dark = reader.knownDark else { return [reader] }
    return isDeferred ? [dark] : [reader, dark]
  }

  /// The reader whose transfer matters: that of the dark image if the other has not been needed, or while only the dark one is fetching.
  var readerInUse: Reader? {
    guard let reader, let dark = reader.knownDark else { return reader }
    return reader.withLock { $0.demand == .deferred || dark.isPending && !$0.isPending } ? dark : reader
  }

  /// Returns the reader to bind to the place; nil for a future without a source. Arranges to be called again when the answer may change.
  @MainActor func reader(for place: Place) -> Reader? {
    guard let reader, reader.descriptor.source.dark != nil else { return reader }
    if let view = place.uiView { StyleWatch.shared.watch(place, in: view) }
    let (right, wrong) = readers(for: place)
    // Both may put the same placeholder there.
    wrong?.leave(place)
    return right
  }

  /// Responds to changed traits of a place that shows this future: binds it anew if it shows the wrong image.
  @MainActor func styleChanged(in place: Place) {
    guard descriptor?.source.dark != nil else { return }
    let (right, wrong) = readers(for: place)
    // There is no such binding if something else was put there since, or if the place is bound correctly already.
    guard let binding = wrong?.binding(in: place) else { return }
    let shown = binding.step == nil ? nil : place.image
    bind(place, binding.presented?.presentation)
    // The former image remains until pixels of the other one are available.
    guard let right, let shown = (shown as? FutureImage)?.borrowed?.original else { return }
    guard let new = right.binding(in: place), new.step == nil, new.presented?.showsFailure != true else { return }
    right.replace(right.carrier(of: shown, for: self, in: new), in: new, new.presented?.presentation.contentModes?.picture)
  }

  @MainActor private func readers(for place: Place) -> (right: Reader?, wrong: Reader?) {
    place.isDark ? (dark, reader) : (reader, reader?.knownDark)
  }
}

extension Reader {
  /// The reader of the dark image if it was made already; any thread.
  var knownDark: Reader? { descriptor.source.dark == nil ? nil : withLock(\.dark) }

  /// Returns the binding by which it shows something there.
  @MainActor fileprivate func binding(in place: Place) -> FutureImage.Binding? { bindings.last { $0.isIn(place) && $0.isCurrent } }
}
