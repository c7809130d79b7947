#if canImport(QuartzCore)
import QuartzCore

/// A timer that wakes a player at a refresh of the display.
///
/// A display link retains its target. So the target is a separate object, which invalidates the link after the timer was released.
@MainActor final class DisplayTimer: FrameTimer {
  @MainActor private final class Target: NSObject {
    weak var timer: DisplayTimer?

    @objc func refresh(_ link: CADisplayLink) {
      if let timer { timer.refresh(link) } else { link.invalidate() }
    }
  }

  private let makeLink: (Any, Selector) -> CADisplayLink
  private var link: CADisplayLink?
  private var due: TimeInterval = 0
  private var body: (@MainActor @Sendable () -> Void)?
  /// During a call of `refresh(_:)`, the time at which that refresh becomes visible; otherwise nil.
  private var refreshTime: TimeInterval?

  init(_ makeLink: @escaping (Any, Selector) -> CADisplayLink) {
    self.makeLink = makeLink
  }

  var now: TimeInterval { refreshTime ?? CACurrentMediaTime() }

  func wake(after seconds: TimeInterval, _ body: @escaping @MainActor @Sendable () -> Void) {
    due = now + seconds
    self.body = body
    if link == nil {
      let target = Target()
      target.timer = self
      link = makeLink(target, #selector(Target.refresh))
      link?.add(to: .main, forMode: .common)
    }
    link?.isPaused = false
  }

  func stop() {
    body = nil
    link?.isPaused = true
  }

  private func refresh(_ link: CADisplayLink) {
    // The frame appears with the refresh whose time is nearest to the time at which the frame is due.
    guard link.targetTimestamp >= due - link.duration / 2, let body = body.take() else { return }
    refreshTime = link.targetTimestamp
    body()
    refreshTime = nil
    if self.body == nil { link.isPaused = true }
  }
}
#endif
