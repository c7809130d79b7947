#if canImport(CCurl) && !canImport(UIKit)
import CCurl
import Glibc
import Synchronization

/// The end of the program, which first stops the threads of engines.
///
/// `exit`, and therefore a return from `main`, cleans up OpenSSL while other threads run. A thread that is using OpenSSL at that moment
/// crashes. So OpenSSL is asked to skip its cleanup; the system reclaims its memory in any case. If the program had initialized OpenSSL
/// before, a handler runs ahead of OpenSSL's own and makes each thread stop outside of OpenSSL: between two rounds of libcurl or in one of
/// its callbacks. The threads never continue, and code that waits for them is not resumed: the program ends.
enum ProgramEnd {
  /// Set inside the lock, and read outside of it by each libcurl callback: a thread that misses the change sees it in the next callback.
  private static let isNear = Atomic(false)
  /// The engines whose thread runs.
  private static let engines = Lock<[ObjectIdentifier: CurlEngine]>([:])

  /// The maximum time that the program waits for delayed threads.
  private static let patience = DispatchTimeInterval.milliseconds(100)

  private static let hasStopped = DispatchSemaphore(value: 0)
  private static let process = getpid()

  /// Asks OpenSSL to skip its cleanup. Must be called before libcurl initializes it, so that even a program that ends at that moment ends
  /// cleanly.
  static func prepareOpenSSL() {
    // The library that libcurl is linked with, if it is OpenSSL 1.1.1 or newer. Older versions ignore the flag.
    guard let symbol = dlsym(nil, "OPENSSL_init_crypto") else { return }
    // int OPENSSL_init_crypto(uint64_t opts, const OPENSSL_INIT_SETTINGS *settings), by OpenSSL's manual; null means the default settings.
    let initialize = unsafeBitCast(symbol, to: (@convention(c) (UInt64, OpaquePointer?) -> Int32).self)
    let withoutExitHandler: UInt64 = 0x0008_0000  // OPENSSL_INIT_NO_ATEXIT
    _ = initialize(withoutExitHandler, nil)
  }

  /// Registers the handler. Must be called after OpenSSL is initialized: handlers run in the reverse order of their registration.
  static func prepare() -> Bool {
    // A forked child has only the thread that ends it, and may have been forked inside the lock.
    _ = process
    return atexit { if getpid() == ProgramEnd.process { ProgramEnd.stopThreads() } } == 0
  }

  /// Registers the engine of a new thread.
  static func enter(_ engine: CurlEngine) {
    let mayRun = engines.withLock { engines in
      guard !isNear.load(ordering: .relaxed) else { return false }
      engines[ObjectIdentifier(engine)] = engine
      return true
    }
    // Nothing waits for this thread.
    if !mayRun { stop() }
  }

  /// Unregisters the engine of a thread that ends or stops. The caller retains the engine, so that it is not released inside the lock.
  static func leave(_ engine: CurlEngine) {
    let isAwaited = engines.withLock { engines in
      engines[ObjectIdentifier(engine)] = nil
      return isNear.load(ordering: .relaxed)
    }
    if isAwaited { hasStopped.signal() }
  }

  /// Stops the calling thread of an engine for good if the program is about to end.
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
    // One of these threads may be the one that ends the program.
    let others = engines.filter { !$0.isOnThread }
    for engine in others { engine.wake() }
    for _ in others where hasStopped.wait(timeout: end) == .timedOut { return }
  }
}
#endif
