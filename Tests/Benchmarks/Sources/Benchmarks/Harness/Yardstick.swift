import CReference
import Glibc

/// A fixed piece of work that shows how fast the machine is at the moment: retains and releases, lookups by a hashed string, and locks. It
/// uses nothing of the library, so a faster library does not change it.
///
/// A limit in microseconds depends on the machine as much as on the library. A limit in yardsticks does not: the figure and the yardstick
/// are measured by turns, in the same thread of the same process. One yardstick takes about a microsecond on the machine on which the
/// limits were set.
@MainActor final class Yardstick {
  /// The yardstick of this process. It allocates its memory once, so what the figures do to the heap does not reach it.
  static let shared = Yardstick()

  // How often one yardstick does each. The limits are multiples of this work: a change here means new limits.
  private static let retains = 56
  private static let lookups = 4
  private static let locks = 8
  /// Objects and keys: few enough for the processor's own caches, like what one screen's views need.
  private static let count = 1_024

  private final class Thing {}

  private let things: [Thing]
  private let keys: [String]
  private let places: [String: Int]
  // Memory of our own instead of stored properties, whose every write would also be checked for exclusive access. Never freed: there is
  // one yardstick, and it lives as long as the process.
  private let held: UnsafeMutablePointer<Thing>
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  private init() {
    things = (0..<Self.count).map { _ in Thing() }.shuffled()
    keys = (0..<Self.count).map { "https://images.example.com/prints/\($0)/photo-of-some-length.jpg" }
    places = Dictionary(uniqueKeysWithValues: zip(keys, 0...))
    held = .allocate(capacity: 1)
    held.initialize(to: things[0])
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  /// The seconds of this thread's processor time that one yardstick takes now.
  func measure() -> Double {
    let times = 1_000
    // The figure before left its own data in the processor's caches.
    var place = work(times / 10, from: 0)
    return threadTime { place = work(times, from: place) } / Double(times)
  }

  /// - Returns: where the next work begins, which depends on all lookups, so that the compiler cannot leave any of them out.
  @inline(never) private func work(_ times: Int, from place: Int) -> Int {
    var place = place
    for _ in 0..<times {
      for _ in 0..<Self.retains {
        // Retains the new object, and releases the one before.
        held.pointee = things[place]
        place = (place + 1) % Self.count
      }
      for _ in 0..<Self.lookups { place = ((places[keys[place]] ?? 0) + 1) % Self.count }
      for _ in 0..<Self.locks {
        pthread_mutex_lock(mutex)
        pthread_mutex_unlock(mutex)
      }
    }
    return place
  }
}
