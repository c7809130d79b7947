import Glibc

/// Reports of failures that end the process: failed checks of the library, failed checks of the language, and stack overflows.
enum Traps {
  private static let stackBytes = 1 << 18

  /// From now on, calls the report with the signal instead of the default action.
  static func report(to report: @escaping @convention(c) (Int32) -> Void) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = report
    action.sa_flags = SA_ONSTACK
    for fault in [SIGILL, SIGTRAP, SIGSEGV] { sigaction(fault, &action, nil) }
  }

  /// Allocates a stack for the calling thread's reports, because there is no room on a stack that has overflowed. The stack is never freed,
  /// because the threads end with the process.
  static func prepareThread() {
    var stack = stack_t(ss_sp: .allocate(byteCount: stackBytes, alignment: 16), ss_flags: 0, ss_size: stackBytes)
    sigaltstack(&stack, nil)
  }
}
