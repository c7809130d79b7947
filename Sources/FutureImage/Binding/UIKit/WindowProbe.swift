#if canImport(UIKit) || canImport(UIKitStandIn)
/// An invisible subview of a view that shows animations. It updates the players when that view enters or leaves a window, which UIKit
/// reports only to views.
@MainActor final class WindowProbe: UIView {
  private struct WeakPlayer {
    weak var player: FutureImage.Player?
  }

  private var players: [WeakPlayer] = []

  /// Returns the probe of the view. The first call for a view adds it.
  static func of(_ view: UIView) -> WindowProbe {
    for case let probe as WindowProbe in view.subviews { return probe }
    let probe = WindowProbe(frame: .zero)
    probe.isUserInteractionEnabled = false
    view.addSubview(probe)
    return probe
  }

  func watch(_ player: FutureImage.Player) {
    players.removeAll { $0.player == nil || $0.player === player }
    players.append(WeakPlayer(player: player))
  }

  override func didMoveToWindow() {
    super.didMoveToWindow()
    for player in players.compactMap(\.player) { player.update() }
  }
}
#endif
