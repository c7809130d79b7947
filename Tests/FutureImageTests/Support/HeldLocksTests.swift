#if DEBUG
import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct HeldLocksTests {
  @Test func `a thread may acquire a lock only if all locks that the thread holds have smaller ranks`() {
    var held = HeldLocks()
    #expect(held.allow(.files) && held.allow(.leaf))
    held.push(.loader)
    #expect(!held.allow(.loader) && !held.allow(.files))
    #expect(held.allow(.pixels) && held.allow(.leaf))
    held.push(.pixels)
    #expect(!held.allow(.pixels) && held.allow(.leaf))
    held.pop()
    #expect(held.allow(.pixels))
    held.pop()
    #expect(held.isEmpty)
  }

  @Test func `a thread may call the app's code if it holds no lock or only the clock's lock, but not if it holds another lock`() {
    var held = HeldLocks()
    #expect(held.permitsCalls)
    held.push(.clock)
    #expect(held.permitsCalls)
    held.pop()
    held.push(.loader)
    #expect(!held.permitsCalls)
    held.push(.clock)
    #expect(!held.permitsCalls)
  }

  @Test func `the record of the locks that a thread holds is correct even after the body of a lock throws`() {
    struct Stop: Error {}
    let (outer, inner) = (Lock(0, rank: .loader), Lock(0))
    #expect(HeldLocks.current.isEmpty)
    outer.withLock { _ in
      #expect(!HeldLocks.current.allow(.loader))
      try? inner.withLock { _ in throw Stop() }
      #expect(HeldLocks.current.allow(.pixels))
    }
    #expect(HeldLocks.current.isEmpty)
  }

  @Test func `an object that is removed from a guarded value is released after the lock is unlocked`() {
    final class ReleasedObject: Sendable {
      let wasFree: Lock<Bool?>
      init(_ wasFree: Lock<Bool?>) { self.wasFree = wasFree }
      deinit {
        let isFree = HeldLocks.current.isEmpty
        wasFree.withLock { $0 = isFree }
      }
    }
    struct Value: Departing {
      var departed = Departed()
      mutating func moveDeparted(to departed: inout Departed) { self.departed.move(to: &departed) }
    }
    let wasFree = Lock<Bool?>(nil)
    let lock = Lock(Value(), rank: .loader)
    lock.withLock { $0.departed.add(ReleasedObject(wasFree)) }
    #expect(wasFree.withLock { $0 } == true)
  }

  #if canImport(UIKitStandIn) && !canImport(UIKit)
  @Test func `in a debug build, acquiring locks in the wrong order ends the process`() async {
    await #expect(processExitsWith: .failure) {
      let (outer, inner) = (Lock(0), Lock(0, rank: .loader))
      outer.withLock { _ in inner.withLock { _ in } }
    }
  }

  @Test func `in a debug build, calling the app's code inside a lock ends the process`() async {
    await #expect(processExitsWith: .failure) {
      // A stopwatch reads its clock, which may be a clock of the app.
      Lock(0, rank: .loader).withLock { _ in _ = Stopwatch(ContinuousClock()) }
    }
  }

  @Test func `acquiring locks in the right order does not end the process`() async {
    await #expect(processExitsWith: .success) {
      let (outer, inner) = (Lock(0, rank: .loader), Lock(0))
      outer.withLock { _ in inner.withLock { _ in } }
      assertNoLockIsHeld()
    }
  }
  #endif
}
#endif
