#if canImport(CCurl) && !canImport(UIKit)
import CCurl
import Glibc
import Synchronization

/// The end of the program, which stops the threads of engines first.
///
/// `exit`, and with it a return from `main`, takes OpenSSL down while other threads run. One of them that is just using it crashes. So
/// OpenSSL is asked to leave itself alone, as the system takes its memory back in any case. Where the program had initialized it before, a
/// handler runs before OpenSSL's own, and has each thread stop where it is outside of OpenSSL: between two rounds of libcurl or in one of
/// its callbacks. They never go on, and nothing that waits for them is told: the program ends.
enum ProgramEnd {
  /// Set inside the lock. Read outside of it by each callback of libcurl's: what a thread misses, it sees in the next one.
  private static let isNear = Atomic(false)
  /// Those whose thread runs.
  private static let engines = Lock<[ObjectIdentifier: CurlEngine]>([:])

  /// How long the program waits for threads that are held up.
  private static let patience = DispatchTimeInterval.milliseconds(100)

  private static let hasStopped = DispatchSemaphore(value: 0)
  private static let process = getpid()

  /// To be called before libcurl initializes OpenSSL, so that even a program which ends at that moment ends well.
  static func prepareOpenSSL() {
    // The one library that libcurl is linked with, if that is OpenSSL 1.1.1 or newer. Older ones ignore the flag.
    guard let symbol = dlsym(nil, "OPENSSL_init_crypto") else { return }
    // int OPENSSL_init_crypto(uint64_t opts, const OPENSSL_INIT_SETTINGS *settings), by OpenSSL's manual; null are the default settings.
    let initialize = unsafeBitCast(symbol, to: (@convention(c) (UInt64, OpaquePointer?) -> Int32).self)
    let withoutExitHandler: UInt64 = 0x0008_0000  // OPENSSL_INIT_NO_ATEXIT
    _ = initialize(withoutExitHandler, nil)
  }

  /// To be called once OpenSSL is initialized: handlers run in the reverse order of their registration.
  static func prepare() -> Bool {
    // A child that was forked has no thread but the one that ends it, and may have been forked inside the lock.
    _ = process
    return atexit { if getpid() == ProgramEnd.process { ProgramEnd.stopThreads() } } == 0
  }

  /// The engine's thread begins.
  static func enter(_ engine: CurlEngine) {
    let mayRun = engines.withLock { engines in
      guard !isNear.load(ordering: .relaxed) else { return false }
      engines[ObjectIdentifier(engine)] = engine
      return true
    }
    // Nobody waits for this one.
    if !mayRun { stop() }
  }

  /// The engine's thread ends, or stops. The caller holds the engine, so that it does not go inside the lock.
  static func leave(_ engine: CurlEngine) {
    let isAwaited = engines.withLock { engines in
      engines[ObjectIdentifier(engine)] = nil
      return isNear.load(ordering: .relaxed)
    }
    if isAwaited { hasStopped.signal() }
  }

  /// Stops the calling thread of an engine for good, if the program is about to end.
  static func stopIfNear() {
    guard isNear.load(ordering: .relaxed) else { return }
    hasStopped.signal()
    stop()
  }

  private static func stop() -> Never {
    while true { pause() }
  }

  private static func stopThreads() {
    let engines = engines.withLock { engines in
      isNear.store(true, ordering: .relaxed)
      return Array(engines.values)
    }
    let end = DispatchTime.now() + patience
    // One of them may be the thread that ends the program.
    let others = engines.filter { !$0.isOnThread }
    for engine in others { engine.wake() }
    for _ in others where hasStopped.wait(timeout: end) == .timedOut { return }
  }
}
#endif
