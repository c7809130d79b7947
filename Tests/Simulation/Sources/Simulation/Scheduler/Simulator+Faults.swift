import Dispatch
import Foundation
import FutureImageTesting

@testable import FutureImage

/// The report of a run that cannot continue.
extension Simulator {
  /// Ends the run if the current thread is not one of the scheduler's, because no seed could repeat such a run.
  func check() {
    guard let thread = current.thread?.thread, pthread_equal(thread, pthread_self()) != 0 else {
      stuck("a thread that is not the scheduler's uses the library")
    }
  }

  /// Ends the run, and prints why it cannot continue and what each thread waits for.
  /// - Parameter circle: the threads that wait for each other; nil for all waiting threads.
  func stuck(_ why: String, of circle: [Runner]? = nil) -> Never {
    if tells { story.print() }
    print("FOUND: \(why)")
    printWait(of: current)
    // Each thread prints its own stack, because the threads are stopped inside their waits.
    reporter = current.thread
    for runner in circle ?? waiting where runner !== current && runner.wait != nil {
      runner.thread?.pass()
      current.thread?.take()
    }
    for runner in ready { print("  \(runner.name) \(runner.id) could continue from \(runner.place)") }
    summarize()
    exit(1)
  }

  /// Ends the run after a check of the library or of the language has trapped, or the stack has overflowed.
  func trapped(_ signal: Int32) -> Never {
    if tells { story.print() }
    print("FOUND: a check failed (signal \(signal))")
    printWait(of: current)
    summarize()
    exit(signal)
  }

  /// Prints the calling thread's wait, its locks, and its stack.
  func printWait(of runner: Runner) {
    let wait =
      switch runner.wait {
      case nil: "is at \(runner.place)"
      case .lock(let lock, _): "waits for \(owners[lock]?.name ?? runner.place) (\(number(of: lock))), which \(owner(of: lock)) holds"
      case .latch(let latch): "waits for a latch (\(number(of: latch)))"
      }
    let held = owners.filter { $0.value.owner === runner }.map { "\($0.value.name) (\(number(of: $0.key)))" }
    print("  \(runner.name) \(runner.id) \(wait); it holds \(held.isEmpty ? "no lock" : held.sorted().joined(separator: ", "))")
    for line in Thread.callStackSymbols.dropFirst(2).prefix(40) { print("    \(line)") }
  }

  private func owner(of lock: Swift.ObjectIdentifier) -> String { owners[lock].map { "\($0.owner.name) \($0.owner.id)" } ?? "no thread" }

  /// Returns a number that identifies the object in a report.
  private func number(of object: Swift.ObjectIdentifier) -> String {
    let index = reported.firstIndex(of: object) ?? reported.count
    if index == reported.count { reported.append(object) }
    return "object \(index + 1)"
  }

  /// Prints the summary that the scripts read.
  func summarize() {
    let digest = String(story.digest, radix: 16)
    print("seed \(seed): \(steps) steps, \(story.count) turns, \(now) of time, workload \(Workload(of: seed)), story \(digest)")
  }
}
