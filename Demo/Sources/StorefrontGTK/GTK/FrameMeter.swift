import CGtk
import Dispatch
import Glibc

/// A meter that counts dropped frames and measures the turns of the main loop during animations.
@MainActor
final class FrameMeter {
  /// Whether an animation runs. A missing frame counts only during an animation.
  var isMoving = false {
    didSet {
      lastFrame = nil
      Turns.areTimed = isMoving
    }
  }
  private(set) var frames = 0
  private(set) var dropped = 0
  private var lastFrame: gint64?

  /// Starts to watch a window that is on screen.
  init?(window: Widget) {
    guard let clock = gtk_widget_get_frame_clock(window) else { return nil }
    on("before-paint", of: clock) { [weak self] in self?.frameBegan(clock) }
    Turns.watch()
  }

  /// The longest turn of the main loop during an animation. A turn begins when the loop wakes up, and ends when the loop waits again. In a
  /// turn, the loop handles events, runs the shop's code, and draws.
  var longestTurn: Duration { Turns.longest }

  /// Counts a frame, and the frames that were dropped before it. All times are in microseconds.
  private func frameBegan(_ clock: OpaquePointer) {
    guard isMoving else { return }
    let time = gdk_frame_clock_get_frame_time(clock)
    frames += 1
    defer { lastFrame = time }
    guard let lastFrame else { return }
    var interval: gint64 = 0
    gdk_frame_clock_get_refresh_info(clock, time, &interval, nil)
    if interval <= 0 { interval = 16_667 }
    dropped += Int(max(0, (time - lastFrame + interval / 2) / interval - 1))
  }
}

/// The turns of the main loop. Each turn begins when the loop wakes up, and ends when the loop waits again. To measure turns, this type
/// replaces the function by which the loop waits.
@MainActor
private enum Turns {
  static var areTimed = false { didSet { turnStart = nil } }
  static var longest = Duration.zero
  private static var turnStart: ContinuousClock.Instant?

  static func watch() {
    g_main_context_set_poll_func(nil) { descriptors, count, timeout in
      // Only the main thread runs the default context.
      MainActor.assumeIsolated { Turns.willWait() }
      let result = g_poll(descriptors, count, timeout)
      MainActor.assumeIsolated { Turns.turnStart = .now }
      return result
    }
  }

  static func willWait() {
    if areTimed, let turnStart { longest = max(longest, .now - turnStart) }
  }
}
