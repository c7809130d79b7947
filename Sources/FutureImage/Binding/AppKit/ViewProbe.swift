#if canImport(AppKit) && !canImport(UIKit)
/// An invisible subview through which the library learns that a view's size, display, or appearance has changed. AppKit reports these
/// changes only by calls to methods of a view. The library cannot override these methods in the view that shows the image, because the
/// class of that view belongs to AppKit or to the app.
///
/// The probe has no size, so it covers nothing. It is not hidden, because AppKit's documentation does not state that AppKit calls these
/// methods of hidden views.
///
/// The superview retains the probe, which references the readers weakly, so nothing needs to be unregistered.
@MainActor final class ViewProbe: NSView {
  private struct WeakReader {
    weak var reader: Reader?
  }

  private struct WeakPlayer {
    weak var player: FutureImage.Player?
  }

  /// The readers of the futures in the view's slots.
  private var readers: [AnyHashable: WeakReader] = [:]
  /// The places that show a future with an image for dark mode.
  private var places: [Place.ID: WeakPlace] = [:]

  /// The players of the animations that the view shows.
  private var players: [WeakPlayer] = []
  /// The observation of the window, which may be covered by other windows.
  private var covering: Covering?

  /// Returns the probe of the view. The first call for a view adds it.
  static func of(_ view: NSView) -> ViewProbe {
    for case let probe as ViewProbe in view.subviews { return probe }
    let probe = ViewProbe(frame: .zero)
    view.addSubview(probe)
    return probe
  }

  /// Measures the views of the reader again whenever the view's size or the resolution of its display changes.
  func watch(_ reader: Reader, in slot: AnyHashable) { readers[slot] = WeakReader(reader: reader) }

  /// Makes the future in the place choose its image for light or dark mode again whenever the appearance changes.
  func watch(_ place: Place) { places[place.id] = WeakPlace(place) }

  /// Updates the player when the view enters or leaves a window, and when the window is covered or uncovered.
  func watch(_ player: FutureImage.Player) {
    players.removeAll { $0.player == nil || $0.player === player }
    players.append(WeakPlayer(player: player))
    watchCovering()
  }

  private func watchCovering() {
    covering = players.isEmpty ? nil : window.map { Covering(of: $0) { [weak self] in self?.updatePlayers() } }
  }

  private func updatePlayers() {
    for player in players.compactMap(\.player) { player.update() }
  }

  private func measure() {
    for reader in readers.values.compactMap(\.reader) { reader.measureViews(restartingIfGrown: true) }
  }

  override func viewDidMoveToWindow() {
    super.viewDidMoveToWindow()
    watchCovering()
    updatePlayers()
    guard window != nil else { return }
    measure()
    chooseStyle()
  }

  override func viewDidChangeBackingProperties() {
    super.viewDidChangeBackingProperties()
    measure()
  }

  /// While people resize the window, the view shows the pixels that it has.
  override func resize(withOldSuperviewSize oldSize: NSSize) {
    super.resize(withOldSuperviewSize: oldSize)
    if !inLiveResize { measure() }
  }

  override func viewDidEndLiveResize() {
    super.viewDidEndLiveResize()
    measure()
  }

  override func viewDidChangeEffectiveAppearance() {
    super.viewDidChangeEffectiveAppearance()
    chooseStyle()
  }

  /// Makes each future choose its image for light or dark mode.
  private func chooseStyle() {
    for place in places.values.compactMap(\.place) {
      (place.image as? FutureImage)?.root.styleChanged(in: place)
    }
  }

  /// Nil, so that the probe receives no clicks.
  override func hitTest(_ point: NSPoint) -> NSView? { nil }
}

/// The observation of a window that may be covered by other windows. It ends with this object.
private final class Covering: @unchecked Sendable {
  // Sendable: the property is written in `init` and used in `deinit`, and notification centers may be used on any thread.
  private let observer: any NSObjectProtocol

  @MainActor init(of window: NSWindow, onChange: @escaping @MainActor @Sendable () -> Void) {
    let name = NSWindow.didChangeOcclusionStateNotification
    observer = NotificationCenter.default.addObserver(forName: name, object: window, queue: nil) { _ in
      // The main dispatch queue is the main actor's executor.
      Scheduling.onMain { MainActor.assumeIsolated { onChange() } }
    }
  }

  deinit { NotificationCenter.default.removeObserver(observer) }
}

/// Watches the appearance of the views that show a future with an image for dark mode.
@MainActor struct StyleWatch {
  static let shared = StyleWatch()

  func watch(_ place: Place, in view: NSView) { ViewProbe.of(view).watch(place) }
}
#endif
