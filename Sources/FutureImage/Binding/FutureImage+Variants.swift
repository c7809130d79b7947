/// A future whose source names another image for dark mode. Dark views show that image through a second future, retained by the first.
///
/// Such views are given carriers of the first future, never an image alone. So a view that retains its image retains both images. Code that
/// looks at a view with changed traits finds the future in it, and nothing needs to remember what the view shows.
extension FutureImage {
  /// The future of the dark image, made on first access; nil if the source names none.
  @MainActor private var dark: FutureImage? {
    guard let descriptor = descriptor?.dark else { return nil }
    if let known = knownDark { return known }
    let dark = FutureImage(descriptor, placeholder: borrowed?.original, isDeferred: true)
    dark.withReader { $0.light = self }
    withReader { $0.dark = dark }
    return dark
  }

  /// The dark future if it was made already; any thread.
  var knownDark: FutureImage? {
    guard let descriptor, descriptor.source.dark != nil else { return nil }
    return withReader(\.dark) ?? nil
  }

  /// This future and that of the dark image; only one of them if the other has not been needed.
  var picturesInUse: [FutureImage] {
    guard let dark = knownDark else { return [self] }
    return isDeferred ? [dark] : [self, dark]
  }

  /// The future whose transfer matters: that of the dark image if the other has not been needed, or while only the dark one is fetching.
  var pictureInUse: FutureImage {
    guard let dark = knownDark else { return self }
    return isDeferred || dark.isFetching && !isFetching ? dark : self
  }

  private var isFetching: Bool { withReader(\.isPending) ?? false }

  /// Returns the future to bind to the place instead of this one; nil for this one. Arranges to be called again when the answer may change.
  @MainActor func darkFuture(for place: Place) -> FutureImage? {
    guard let descriptor, descriptor.source.dark != nil else { return nil }
    if let view = place.uiView { StyleWatch.shared.watch(place, in: view) }
    return place.isDark ? dark : nil
  }

  /// Responds to changed traits of a place that shows this future: binds it anew if it shows the wrong image.
  @MainActor func styleChanged(in place: Place) {
    guard let descriptor, descriptor.source.dark != nil else { return }
    let (right, wrong) = place.isDark ? (dark, self) : (self, knownDark)
    // There is no such binding if something else was put there since, or if the place is bound correctly already.
    guard let binding = wrong?.binding(in: place) else { return }
    let shown = binding.step == nil ? nil : place.image
    bind(place, binding.presented?.presentation)
    // The former image remains until pixels of the other one are available.
    guard let right, let shown = (shown as? FutureImage)?.borrowed?.original else { return }
    guard let new = right.binding(in: place), new.step == nil, new.presented?.showsFailure != true else { return }
    right.replace(right.carrier(of: shown, in: new), in: new, new.presented?.presentation.contentModes?.picture)
  }

  /// Returns the binding by which this future shows something there.
  @MainActor private func binding(in place: Place) -> Binding? { bindings.last { $0.isIn(place) && $0.stands } }

  /// Returns a carrier for a place. If the presentation there changes the view, it ends in the turn after the app has put another image into
  /// it: UIKit does not report that, but the view releases the carrier.
  @MainActor func carrier(of image: UIImage?, in binding: Binding) -> FutureImage {
    guard let presented = binding.presented, presented.presentation.changesView, let place = binding.place else {
      return carrier(of: image)
    }
    let (spot, look) = (WeakPlace(place), presented.look)
    return FutureImage(carrying: image, for: holder) {
      // The binding may be gone, and its last image still be there.
      guard let place = spot.place, look.shown == nil || place.image !== look.shown else { return }
      BoundPlaces.shared.take(place, ifChangedBy: look)
    }
  }

  /// Returns a carrier that shows the given image on behalf of this future.
  @MainActor func carrier(of image: UIImage?) -> FutureImage { FutureImage(carrying: image, for: holder) }

  /// The image for a place while no pixels are available: this future, which looks like its placeholder.
  @MainActor var token: FutureImage { descriptor?.isDark == true ? carrier(of: borrowed?.original) : self }

  /// The future that a place retains while it shows this one.
  @MainActor private var holder: FutureImage { descriptor?.isDark == true ? (withReader(\.light) ?? nil) ?? self : self }
}
