import CReference
import Glibc

/// A fixed piece of work that shows how fast the machine is at the moment: retains and releases, of objects with and without weak
/// references; weak loads; new objects; lookups by a hashed string; and locks. It uses nothing of the library, so a faster library does
/// not change it.
///
/// A limit in microseconds depends on the machine as much as on the library. A limit in yardsticks depends less on the machine, because the
/// figure and the yardstick are measured alternately, in the same thread of the same process. One yardstick takes about a microsecond on
/// the machine on which the limits were set.
///
/// When another process runs on the other hardware thread of the core, the operations slow down differently. Plain retains and locks take
/// 1.3 times their usual duration, and weak references and new objects take 1.8 times. So the yardstick contains all of these operations.
@MainActor final class Yardstick {
  /// The yardstick of this process. It allocates its memory once, so the benchmarks' effects on the heap do not change it.
  static let shared = Yardstick()

  // The number of times that one yardstick does each operation. The limits are multiples of this work, so a change here requires new
  // limits.
  private static let retains = 8
  private static let weaklyHeldRetains = 10
  private static let weakLoads = 4
  private static let newHolders = 3
  private static let lookups = 2
  private static let locks = 4
  /// The number of objects and keys. It is so small that they fit into the processor's caches, like the data of one screen's views.
  private static let count = 1_024

  private final class Thing {}

  private final class Holder {
    weak var thing: Thing?

    init(_ thing: Thing) {
      self.thing = thing
    }
  }

  private let things: [Thing]
  /// Objects with a weak reference. The runtime stores the reference counts of such an object outside of the object.
  private let weaklyHeld: [Thing]
  private let holders: [Holder]
  private let keys: [String]
  private let places: [String: Int]
  // The yardstick writes through these pointers, because the runtime would check each write to a stored property for exclusive access. The
  // memory is never freed, because the only yardstick exists until the process ends.
  private let held: UnsafeMutablePointer<Thing>
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  private init() {
    things = (0..<Self.count).map { _ in Thing() }.shuffled()
    weaklyHeld = (0..<Self.count).map { _ in Thing() }.shuffled()
    holders = weaklyHeld.map { Holder($0) }
    keys = (0..<Self.count).map { "https://images.example.com/prints/\($0)/photo-of-some-length.jpg" }
    places = Dictionary(uniqueKeysWithValues: zip(keys, 0...))
    held = .allocate(capacity: 1)
    held.initialize(to: things[0])
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  /// Returns the seconds of this thread's processor time that one yardstick takes now.
  func measure() -> Double {
    let times = 1_000
    // Warm up, because the data of the previous figure is in the processor's caches.
    var place = work(times / 10, from: 0)
    return threadTime { place = work(times, from: place) } / Double(times)
  }

  /// - Returns: the place where the next work starts. It depends on all lookups, so the compiler cannot omit any of them.
  @inline(never) private func work(_ times: Int, from place: Int) -> Int {
    var place = place
    for _ in 0..<times {
      for _ in 0..<Self.retains {
        // Retains the new object, and releases the previous one.
        held.pointee = things[place]
        place = (place + 1) % Self.count
      }
      for _ in 0..<Self.weaklyHeldRetains {
        held.pointee = weaklyHeld[place]
        place = (place + 1) % Self.count
      }
      // A holder's object always exists, so each load advances the place by one.
      for _ in 0..<Self.weakLoads { place = (place + (holders[place].thing == nil ? 0 : 1)) % Self.count }
      for _ in 0..<Self.newHolders { place = (place + (Holder(weaklyHeld[place]).thing == nil ? 0 : 1)) % Self.count }
      for _ in 0..<Self.lookups { place = ((places[keys[place]] ?? 0) + 1) % Self.count }
      for _ in 0..<Self.locks {
        pthread_mutex_lock(mutex)
        pthread_mutex_unlock(mutex)
      }
    }
    return place
  }
}
