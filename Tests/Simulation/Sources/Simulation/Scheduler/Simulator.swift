import CMainQueue
import Dispatch
import Foundation
import FutureImageTesting

@testable import FutureImage

/// Lets one thread run at a time, and chooses by a seed which thread continues at each point that the library passes.
final class Simulator: SimulatedScheduler, @unchecked Sendable {
  // Only the running thread accesses these properties. It passes control by a semaphore, which orders memory.
  let seed: UInt64
  var random: SeededGenerator
  let strategy: Strategy
  /// The maximum number of points in a run.
  let limit: Int
  /// The maximum number of preemptions. In a preemption, another thread runs although the running thread could continue.
  let preemptionLimit: Int
  var preemptions = 0
  var runners = 0
  /// The runners that may continue, without the running runner.
  var ready: [Runner] = []
  /// The runners that wait for a lock or a latch.
  var waiting: [Runner] = []
  /// The threads that have no runner.
  var idle: [Baton] = []
  /// The owners of the locks that are held.
  var owners: [Swift.ObjectIdentifier: Holding] = [:]
  /// The open latches. A latch closes when a runner has waited for it.
  var open: Set<Swift.ObjectIdentifier> = []
  var timers: [Timer] = []
  var timersBegun = 0
  var now = Duration.zero
  /// The time up to which timers fire; nil for no limit. Timers with a delay of less than 50 milliseconds always fire.
  var horizon: Duration?
  let main: Runner
  let mainBaton = Baton()
  /// Whether the main thread runs or is stopped inside a turn, and does not wait for its next turn.
  var isMainInTurn = true
  /// Whether the main queue has work, and the main thread may continue.
  var isMainDue = false
  /// Whether the main thread was chosen for a turn.
  var isMainChosen = false
  var current: Runner
  /// The name for the next task that is enqueued.
  var nextName: StaticString?
  /// The names of the tasks, by the descriptions of their jobs.
  var names: [String: String] = [:]
  let mainHandle: Int32
  var story: RunRecord
  /// Whether the run ends with a printed record of all turns.
  let tells: Bool
  /// Closures that return a fault if they find a state that must never occur.
  var findFaults: [() -> String?] = []
  /// The number of points to pass before the closures are called again.
  var pointsUntilLook = 0
  private(set) var isLooking = false
  /// The thread that reports a stuck run; nil before a report. Each waiting thread prints its own wait, and then passes to this thread.
  var reporter: Baton?
  /// The locks and latches of a report, in the order of their numbers there.
  var reported: [Swift.ObjectIdentifier] = []
  /// The number of points at which two or more runners could have continued.
  private(set) var steps = 0
  /// The number of all points, including those at which only one runner could have continued.
  var points = 0

  struct Holding {
    let owner: Runner
    let name: StaticString
  }

  struct Timer {
    let deadline: Duration
    let delay: Duration
    let number: Int
    let fire: () -> Void
  }

  /// Creates a simulator whose main thread is the calling thread.
  /// - Parameters:
  ///   - limit: the maximum number of points in a run.
  ///   - preemptions: the maximum number of preemptions (see ``preemptionLimit``).
  ///   - length: the approximate number of points in a run at which the scheduler has a choice.
  init(seed: UInt64, limit: Int, preemptions: Int, length: Int, tells: Bool) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    strategy = Strategy(&random, steps: length)
    self.limit = limit
    preemptionLimit = preemptions
    main = Runner(0, "main", priority: random.next(), nil)
    main.thread = mainBaton
    mainBaton.thread = pthread_self()
    current = main
    mainHandle = _dispatch_get_main_queue_handle_4CF()
    self.tells = tells
    story = RunRecord("strategy \(strategy)")
    story.name("main")
  }

  private(set) lazy var executor: any TaskExecutor = SimulatedExecutor(self)

  // MARK: Calls from the library

  func draw() -> UInt64 { random.next() }

  func point(_ name: StaticString) {
    guard !isLooking else { return }
    check()
    look()
    current.place = name
    guard current.interruptionsDeferred == 0 else { return }
    addMainIfDue()
    guard preemptions < preemptionLimit, let next = choose(mayStay: true), next !== current else { return }
    preemptions += 1
    ready.append(current)
    hand(to: next)
  }

  /// Adds a check for a state that must never occur.
  /// - Parameter fault: returns a fault if it finds such a state. The scheduler calls this closure repeatedly while no lock is held.
  func watch(_ fault: @escaping () -> String?) { findFaults.append(fault) }

  /// Calls the closures of ``findFaults`` if more than 32 points have passed since the last call, and no lock is held.
  func look() {
    pointsUntilLook -= 1
    guard !findFaults.isEmpty, pointsUntilLook < 0, owners.isEmpty else { return }
    pointsUntilLook = 32
    isLooking = true
    let fault = findFaults.lazy.compactMap { $0() }.first
    isLooking = false
    if let fault { stuck(fault) }
  }

  func lock(_ lock: Swift.ObjectIdentifier, _ name: StaticString, rank: UInt8) {
    point(name)
    while let owner = owners[lock]?.owner {
      findCircle(from: owner, to: lock, name)
      if current.interruptionsDeferred > 0 { urge(owner, for: lock, rank) } else { wait(.lock(lock, rank: rank)) }
    }
    owners[lock] = Holding(owner: current, name: name)
  }

  /// Ends the run if the running thread is about to wait for a lock whose owner waits for the running thread.
  func findCircle(from owner: Runner, to lock: Swift.ObjectIdentifier, _ name: StaticString) {
    var circle = [owner]
    while let last = circle.last, last !== current {
      guard case .lock(let next, _) = last.wait, let owner = owners[next]?.owner, !circle.contains(where: { $0 === owner }) else { return }
      circle.append(owner)
    }
    current.place = name
    current.wait = .lock(lock, rank: 0)
    stuck(circle.count == 1 ? "a thread waits for a lock that it holds" : "\(circle.count) threads wait for each other's locks", of: circle)
  }

  /// Lets the owner of the lock continue until it has released the lock.
  func urge(_ owner: Runner, for lock: Swift.ObjectIdentifier, _ rank: UInt8) {
    var target = (owner, lock)
    while case .lock(let other, _) = target.0.wait, let next = owners[other]?.owner { target = (next, other) }
    guard let index = ready.firstIndex(where: { $0 === target.0 }) else {
      stuck("an uninterruptible thread needs a lock, and the owner of the lock cannot continue")
    }
    _ = take(index)
    target.0.interruptionsDeferred += 1
    target.0.urgedBy = (current, target.1)
    current.wait = .lock(lock, rank: rank)
    hand(to: target.0)
    current.wait = nil
  }

  func uninterrupted(_ body: () -> Void) {
    current.interruptionsDeferred += 1
    body()
    current.interruptionsDeferred -= 1
  }

  func unlock(_ lock: Swift.ObjectIdentifier) {
    owners[lock] = nil
    wake { if case .lock(lock, _) = $0 { true } else { false } }
    guard let (urging, needed) = current.urgedBy, needed == lock else { return }
    current.urgedBy = nil
    current.interruptionsDeferred -= 1
    ready.append(current)
    hand(to: urging)
  }

  func openLatch(_ latch: Swift.ObjectIdentifier) {
    open.insert(latch)
    wake { $0 == .latch(latch) }
  }

  func waitForLatch(_ latch: Swift.ObjectIdentifier) {
    point("a latch")
    while open.remove(latch) == nil { wait(.latch(latch)) }
  }

  func name(_ name: StaticString) { nextName = name }

  /// Records what the running runner is about to do.
  func note(_ act: String) { story.note(act) }

  func start(_ name: String, after delay: Duration?, _ body: @escaping @Sendable () -> Void) {
    check()
    guard let delay else { return begin(name, body) }
    time(now + delay) { self.begin(name, body) }
  }

  func startOnMain(after delay: Duration?, _ body: @escaping @Sendable () -> Void) {
    check()
    guard let delay else { return DispatchQueue.main.async(execute: body) }
    time(now + delay) { DispatchQueue.main.async(execute: body) }
  }

  func sleep(until deadline: Duration) async throws {
    let sleep = Sleep()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
        sleep.continuation = continuation
        sleep.timer = time(deadline) { sleep.take()?.resume() }
      }
    } onCancel: {
      timers.removeAll { $0.number == sleep.timer }
      sleep.take()?.resume(throwing: CancellationError())
    }
  }

  final class Sleep: @unchecked Sendable {
    // Sendable: only one thread runs at a time.
    var continuation: CheckedContinuation<Void, any Error>?
    var timer: Int?

    func take() -> CheckedContinuation<Void, any Error>? {
      defer { continuation = nil }
      return continuation
    }
  }

  // MARK: Tasks

  fileprivate func enqueue(_ job: UnownedJob) {
    check()
    let id = "\(job)"
    if let name = nextName { names[id] = "\(name)" }
    nextName = nil
    begin(names[id] ?? "a task") { [executor] in job.runSynchronously(on: executor.asUnownedTaskExecutor()) }
  }

  func begin(_ name: String, _ body: @escaping () -> Void) {
    runners += 1
    story.name(name)
    ready.append(Runner(runners, name, priority: random.next(), body))
  }

  // MARK: The choice of the next runner

  /// Runs all runners until the condition is true. Checks the condition between the turns of the main thread, which calls this function.
  func run(until hasEnded: () -> Bool) {
    isMainInTurn = false
    while !hasEnded() {
      if !next() { stuck("no work remains, and the run has not ended") }
    }
    isMainInTurn = true
  }

  /// Runs all runners until no work remains, except timers that fire after the given time.
  /// - Parameter time: the time in the simulation. It must be longer than the waits that the test needs, such as those between attempts.
  func rest(for time: Duration = .seconds(5)) {
    isMainInTurn = false
    horizon = now + time
    while next() {}
    horizon = nil
    isMainInTurn = true
    if !waiting.isEmpty { stuck("no thread can go on") }
  }

  /// Lets other runners run until the main thread is chosen or no work remains. If the main thread is chosen, runs its turn.
  /// - Returns: false if no work remains.
  func next() -> Bool {
    addMainIfDue()
    guard let next = choose(mayStay: false) else { return false }
    if next !== main {
      hand(to: next)
      // The main thread continues because it was chosen, or because no work remains.
      guard isMainChosen else { return true }
    }
    isMainChosen = false
    turn()
    return true
  }

  func turn() {
    isMainDue = false
    isMainInTurn = true
    var wakeUps: UInt64 = 0
    _ = read(mainHandle, &wakeUps, 8)
    _dispatch_main_queue_callback_4CF(nil)
    isMainInTurn = false
  }

  func addMainIfDue() {
    guard !isMainInTurn, !isMainDue else { return }
    var descriptor = pollfd(fd: mainHandle, events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, 0) > 0 else { return }
    isMainDue = true
    ready.append(main)
  }

  /// Chooses the runner that continues.
  /// - Parameter mayStay: whether the running runner can continue.
  /// - Returns: the runner that continues, which is no longer in `ready`; nil if no runner can continue.
  func choose(mayStay: Bool) -> Runner? {
    points += 1
    // Points without a choice count, too, because a thread that never ends may leave no choice.
    if points > limit { stuck("it has not ended after \(limit) points") }
    while ready.isEmpty {
      if mayStay { return current }
      guard fire() else { return nil }
      addMainIfDue()
    }
    // A timer that is due soon may also fire while threads can continue. Longer timers are usually only limits on waits for something else.
    if let first = timers.first, first.deadline <= now + .seconds(2), random.next() % 256 == 0 { _ = fire() }
    let count = ready.count + (mayStay ? 1 : 0)
    guard count > 1 else { return take(0) }
    steps += 1
    switch strategy {
    case .random(let preemption):
      if mayStay, preemption < 1, Double(random.next() >> 11) * 0x1p-53 >= preemption { return current }
      let choice = Int(random.next() % UInt64(count))
      return choice == ready.count ? current : take(choice)
    case .priorities(let changes):
      // Without new priorities, a runner that polls would never let runners with a lower priority run.
      if steps % 512 == 0 { for runner in ready + [current] { runner.priority = random.next() } }
      if mayStay, changes.contains(steps) { current.priority = UInt64(limit - steps) }
      var best = 0
      for index in 1..<ready.count where ready[index].priority > ready[best].priority { best = index }
      return mayStay && current.priority >= ready[best].priority ? current : take(best)
    }
  }

  func take(_ index: Int) -> Runner {
    ready.swapAt(index, ready.count - 1)
    return ready.removeLast()
  }

  /// Lets another runner run, and returns when the caller may continue.
  func hand(to next: Runner) {
    let me = current
    story.left(me, for: next)
    pass(to: next)
    me.thread?.take()
    // Usually, the thread that passed the baton has set `current` to this runner. During a report, it has not set `current`, and this
    // thread only prints its own wait.
    while let reporter {
      printWait(of: me)
      reporter.pass()
      me.thread?.take()
    }
  }

  func pass(to next: Runner) {
    current = next
    if next === main, !isMainInTurn { isMainChosen = true }
    if let thread = next.thread { return thread.pass() }
    let baton = idle.popLast() ?? makeThread()
    next.thread = baton
    baton.next = next
    baton.pass()
  }

  func wait(_ wait: Runner.Wait) {
    current.wait = wait
    waiting.append(current)
    let me = current
    addMainIfDue()
    if let next = choose(mayStay: false) { hand(to: next) } else { stuck("no thread can go on") }
    me.wait = nil
  }

  func wake(_ isMet: (Runner.Wait) -> Bool) {
    guard !waiting.isEmpty else { return }
    for runner in waiting where runner.wait.map(isMet) ?? false { ready.append(runner) }
    waiting.removeAll { $0.wait.map(isMet) ?? false }
  }
}

/// An executor that passes every part of a task to the scheduler, including parts on actors and parts that continuations resume.
private final class SimulatedExecutor: TaskExecutor {
  let simulator: Simulator

  init(_ simulator: Simulator) { self.simulator = simulator }

  func enqueue(_ job: consuming ExecutorJob) { simulator.enqueue(UnownedJob(job)) }
}
