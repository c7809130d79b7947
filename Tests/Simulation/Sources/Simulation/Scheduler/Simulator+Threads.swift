import Dispatch
import Foundation
import FutureImageTesting

@testable import FutureImage

/// The time of a run, and the threads on which its runners run.
extension Simulator {
  // MARK: Time

  /// Starts a timer.
  /// - Returns: the number of the timer.
  @discardableResult func time(_ deadline: Duration, _ fire: @escaping () -> Void) -> Int {
    check()
    timersBegun += 1
    let timer = Timer(deadline: max(deadline, now), delay: deadline - now, number: timersBegun, fire: fire)
    let index = timers.firstIndex { $0.deadline > timer.deadline } ?? timers.count
    timers.insert(timer, at: index)
    return timer.number
  }

  /// Fires the first timer that may fire (see ``horizon``). Advances the time to the timer's deadline.
  /// - Returns: false if no timer may fire.
  func fire() -> Bool {
    guard let index = timers.firstIndex(where: { timer in horizon.map { timer.deadline <= $0 || timer.delay < .milliseconds(50) } ?? true })
    else { return false }
    let timer = timers.remove(at: index)
    now = max(now, timer.deadline)
    timer.fire()
    return true
  }

  // MARK: Threads

  func makeThread() -> Baton {
    let baton = Baton()
    let context = Unmanaged.passRetained(Start(self, baton)).toOpaque()
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<Start>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, context)
    return baton
  }

  final class Start {
    let simulator: Simulator
    let baton: Baton

    init(_ simulator: Simulator, _ baton: Baton) { (self.simulator, self.baton) = (simulator, baton) }

    func run() { simulator.work(baton) }
  }

  /// Runs the runners that the thread of the baton gets, one after the other. This function never returns.
  func work(_ baton: Baton) {
    baton.thread = pthread_self()
    Traps.prepareThread()
    baton.take()
    while true {
      if let runner = baton.next {
        baton.next = nil
        runner.body?()
        runner.body = nil
      }
      addMainIfDue()
      let ended = current
      guard let next = choose(mayStay: false) else {
        // The main thread detects that no work remains.
        idle.append(baton)
        story.left(ended, for: main, hasEnded: true)
        current = main
        mainBaton.pass()
        baton.take()
        continue
      }
      story.left(ended, for: next, hasEnded: true)
      if next.thread == nil {
        next.thread = baton
        baton.next = next
        current = next
        continue
      }
      idle.append(baton)
      pass(to: next)
      baton.take()
    }
  }
}
