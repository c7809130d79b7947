#if canImport(CCurl) && !canImport(UIKit)
import CCurl
import Synchronization

/// Stops the threads of engines at the end of the program.
///
/// `exit`, and therefore a return from `main`, cleans up OpenSSL while other threads run. A thread that is using OpenSSL at that moment
/// crashes. So OpenSSL is instructed to skip its cleanup, and the system reclaims its memory in any case. If the program has already
/// initialized OpenSSL, this instruction has no effect. For this case, a handler runs before OpenSSL's own handler. It stops each thread
/// outside of OpenSSL, between two rounds of libcurl or in one of its callbacks. The threads never continue, and code that waits for them
/// is not resumed, because the program ends.
enum ProgramEnd {
  /// Whether the program is about to end. It is set inside the lock, but each libcurl callback reads it outside of the lock. A thread that
  /// misses the change sees it in the next callback.
  private static let isNear = Atomic(false)
  /// The engines whose thread runs.
  private static let engines = Lock<[ObjectIdentifier: CurlEngine]>([:])

  /// The maximum time that the program waits for delayed threads.
  private static let patience = DispatchTimeInterval.milliseconds(100)

  private static let hasStopped = DispatchSemaphore(value: 0)
  private static let process = getpid()

  /// Instructs OpenSSL to skip its cleanup. Must be called before libcurl initializes OpenSSL, so that the program ends cleanly even if it
  /// ends during that initialization.
  static func prepareOpenSSL() {
    // The search finds the OpenSSL that libcurl is linked with. The flag needs OpenSSL 1.1.1 or newer, and older versions ignore it.
    guard let symbol = dlsym(nil, "OPENSSL_init_crypto") else { return }
    // OpenSSL's manual declares int OPENSSL_init_crypto(uint64_t opts, const OPENSSL_INIT_SETTINGS *settings). Null means the default
    // settings.
    let initialize = unsafeBitCast(symbol, to: (@convention(c) (UInt64, OpaquePointer?) -> Int32).self)
    let withoutExitHandler: UInt64 = 0x0008_0000  // OPENSSL_INIT_NO_ATEXIT
    _ = initialize(withoutExitHandler, nil)
  }

  /// Registers the handler. Must be called after OpenSSL is initialized, because handlers run in the reverse order of their registration.
  static func prepare() -> Bool {
    // Initialize `process` in the parent. After a fork, the child must not run the handler, because only the thread that ends the child
    // exists, and another thread may have held the lock.
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
    // The end of the program does not wait for this thread, so the thread stops without signaling `hasStopped`.
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

  /// If the program is about to end, stops the calling thread of an engine, which then never continues.
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
    // The thread that ends the program may be one of these threads.
    let others = engines.filter { !$0.isOnThread }
    for engine in others { engine.wake() }
    for _ in others where hasStopped.wait(timeout: end) == .timedOut { return }
  }
}
#endif
