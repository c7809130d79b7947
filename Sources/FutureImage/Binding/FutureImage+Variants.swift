/// Futures whose source has another image for dark mode. Views in dark mode show that image through a second reader, which the first reader
/// owns.
///
/// As long as such a future exists, a view that shows it never gets decoded pixels alone. The view gets the future itself while no pixels
/// are available, and otherwise a carrier, which is a private future that retains the original future. So a view that retains its image
/// retains the future with both of its images. When the traits of a view change, the library finds the future through the view's image, so
/// nothing needs to record what the view shows.
extension FutureImage {
  /// The reader of the image for dark mode, made on first access; nil if the source has no such image.
  @MainActor private var dark: Reader? {
    guard let reader, let descriptor = reader.descriptor.dark else { return nil }
    if let known = reader.withLock(\.dark) { return known }
    let dark = Reader(descriptor, isDeferred: true)
    reader.withLock { $0.dark = dark }
    return dark
  }

  /// The readers of this future's image and of its image for dark mode. If only one of the two images has been needed, this is only the
  /// reader of that image.
  var readersInUse: [Reader] {
    guard let reader else { return [] }
    guard let dark = reader.knownDark else { return [reader] }
    return isDeferred ? [dark] : [reader, dark]
  }

  /// The reader whose progress is reported. This is the reader of the image for dark mode if the other image has not been needed, or while
  /// only the image for dark mode is being fetched. Otherwise, it is the reader of the other image.
  var readerInUse: Reader? {
    guard let reader, let dark = reader.knownDark else { return reader }
    return reader.withLock { $0.demand == .deferred || dark.isPending && !$0.isPending } ? dark : reader
  }

  /// Returns the reader to bind to the place; nil for a future without a source. If the choice may change later, this also watches the
  /// view's style.
  @MainActor func reader(for place: Place) -> Reader? {
    guard let reader, reader.descriptor.source.dark != nil else { return reader }
    if let view = place.platformView { StyleWatch.shared.watch(place, in: view) }
    let (right, wrong) = readers(for: place)
    // The other reader must leave the place, because both readers may put the same placeholder there.
    wrong?.leave(place)
    return right
  }

  /// Responds to changed traits of a place that shows this future. If the place shows the wrong image, binds it again.
  @MainActor func styleChanged(in place: Place) {
    guard descriptor?.source.dark != nil else { return }
    let (right, wrong) = readers(for: place)
    // The wrong reader has no current binding if something else was put into the place, or if the right reader is already bound.
    guard let binding = wrong?.binding(in: place) else { return }
    let shown = binding.step == nil ? nil : place.image
    bind(place, binding.presented?.presentation)
    // The former image remains until pixels of the other image are available.
    guard let right, let shown = (shown as? FutureImage)?.borrowed?.original else { return }
    guard let new = right.binding(in: place), new.step == nil, new.presented?.showsFailure != true else { return }
    right.replace(right.carrier(of: shown, for: self, in: new), in: new, new.presented?.presentation.contentModes?.image)
  }

  @MainActor private func readers(for place: Place) -> (right: Reader?, wrong: Reader?) {
    place.isDark ? (dark, reader) : (reader, reader?.knownDark)
  }
}

extension Reader {
  /// The reader of the image for dark mode, if it was already made. Any thread may read this property.
  var knownDark: Reader? { descriptor.source.dark == nil ? nil : withLock(\.dark) }

  /// Returns the binding with which this reader shows an image in the place.
  @MainActor fileprivate func binding(in place: Place) -> FutureImage.Binding? { bindings.last { $0.isIn(place) && $0.isCurrent } }
}
