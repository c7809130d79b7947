/// A future whose source names another picture for dark mode. Views that are dark show that one, by a second future that the first one holds.
///
/// Such views are given carriers of the first future, and never a picture alone. So a view's hold on its image is its hold on both pictures,
/// whoever looks at a view whose traits have changed finds the future in it, and nothing needs to remember what the view shows.
extension FutureImage {
  /// The future of the dark picture, made at the first call; nil if the source names none.
  @MainActor private var dark: FutureImage? {
    guard let descriptor = descriptor?.dark else { return nil }
    if let known = knownDark { return known }
    let dark = FutureImage(descriptor, placeholder: borrowed?.original, isDeferred: true)
    dark.state.withLock { $0.light = self }
    state.withLock { $0.dark = dark }
    return dark
  }

  /// The same if it was made already; any thread.
  var knownDark: FutureImage? {
    guard let descriptor, descriptor.source.dark != nil else { return nil }
    return state.withLock { $0.dark }
  }

  /// This future and that of the dark picture; one alone where nobody has needed the other.
  var picturesInUse: [FutureImage] {
    guard let dark = knownDark else { return [self] }
    return isDeferred ? [dark] : [self, dark]
  }

  /// The one whose transfer is of interest: the dark picture's where nobody has needed the other, or while it alone is under way.
  var pictureInUse: FutureImage {
    guard let dark = knownDark else { return self }
    return isDeferred || dark.isFetching && !isFetching ? dark : self
  }

  private var isFetching: Bool { state.withLock { $0.wish.request != nil } }

  /// The future to be bound there in place of this one; nil if this is the one. Sees to it that this is asked again when it may change.
  @MainActor func darkFuture(for place: Place) -> FutureImage? {
    guard let descriptor, descriptor.source.dark != nil, let view = place.uiView else { return nil }
    StyleWatch.shared.watch(place, in: view)
    return view.traitCollection.userInterfaceStyle == .dark ? dark : nil
  }

  /// The traits of a view that shows this future have changed: it is bound anew if it shows the wrong picture.
  @MainActor func styleChanged(in place: Place) {
    guard let descriptor, descriptor.source.dark != nil, let view = place.uiView else { return }
    let isDark = view.traitCollection.userInterfaceStyle == .dark
    let (right, wrong) = isDark ? (dark, self) : (self, knownDark)
    // Nothing stands where something else was put there since, or where it is bound right already.
    guard let binding = wrong?.binding(in: place) else { return }
    let shown = binding.step == nil ? nil : place.image
    bind(place, binding.presented?.presentation)
    // The former picture stays until there is something of the other one.
    guard let right, let shown = (shown as? FutureImage)?.borrowed?.original else { return }
    guard let new = right.binding(in: place), new.step == nil, new.presented?.showsFailure != true else { return }
    right.replace(right.carrier(of: shown), in: new, new.presented?.presentation.contentModes?.picture)
  }

  /// The one by which this future shows something there.
  @MainActor private func binding(in place: Place) -> Binding? { bindings.last { $0.isIn(place) && $0.stands } }

  /// An image that shows the given one in this future's name.
  @MainActor func carrier(of image: UIImage?) -> FutureImage { FutureImage(carrying: image, for: holder) }

  /// The image for a place while there is nothing of the picture: this future, in the looks of its placeholder.
  @MainActor var token: FutureImage { descriptor?.isDark == true ? carrier(of: borrowed?.original) : self }

  /// The future that a place holds which shows this one.
  @MainActor private var holder: FutureImage { descriptor?.isDark == true ? state.withLock { $0.light } ?? self : self }
}
