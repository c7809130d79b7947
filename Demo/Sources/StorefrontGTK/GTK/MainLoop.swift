import CGtk
import Dispatch
import Glibc

/// GLib's main loop on the main thread, with Swift's main queue inside it.
///
/// GLib does not run that queue by itself. Without this bridge, no main-actor task would ever run.
@MainActor
enum MainLoop {
  private static let loop = g_main_loop_new(nil, 0)

  /// Runs the loop until ``quit()``, or until the terminal or the system sends a signal that ends the program.
  static func run() {
    attachMainQueue()
    for signal in [SIGINT, SIGTERM] {
      g_unix_signal_add(
        signal,
        { _ in
          // The loop calls this closure, and the loop runs on the main thread.
          MainActor.assumeIsolated { MainLoop.quit() }
          return 0
        }, nil)
    }
    g_main_loop_run(loop)
  }

  static func quit() { g_main_loop_quit(loop) }

  /// Adds a source to the loop that runs the main queue. libdispatch signals a descriptor when the queue has work.
  private static func attachMainQueue() {
    let drain: @convention(c) (gint, GIOCondition, gpointer?) -> gboolean = { descriptor, _, _ in
      // The descriptor counts wake-ups. If nothing reads it, it stays ready, and the loop spins.
      var wakeUps: UInt64 = 0
      _ = read(descriptor, &wakeUps, MemoryLayout.size(ofValue: wakeUps))
      _dispatch_main_queue_callback_4CF(nil)
      return 1
    }
    let source = g_unix_fd_source_new(_dispatch_get_main_queue_handle_4CF(), G_IO_IN)
    // GLib stores callbacks of every source type as GSourceFunc and casts them back. This source's type takes the three arguments above.
    g_source_set_callback(source, unsafeBitCast(drain, to: GSourceFunc.self), nil, nil)
    // This is GDK_PRIORITY_REDRAW. With a higher priority, a busy queue would starve drawing. With a lower priority, drawing would starve
    // the queue.
    g_source_set_priority(source, 120)
    g_source_attach(source, nil)
    g_source_unref(source)
  }
}
