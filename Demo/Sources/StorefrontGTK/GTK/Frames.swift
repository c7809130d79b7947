import CGtk

/// Calls `body` at each frame of the widget's clock, with the frame's time in microseconds, until it returns false; returns then, or
/// when the widget is gone.
@MainActor
func eachFrame(of widget: Widget, _ body: @escaping @MainActor (gint64) -> Bool) async {
  await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
    let call: @MainActor @convention(c) (Widget?, OpaquePointer?, gpointer?) -> gboolean = { _, clock, data in
      Handler<FrameLoop>.of(data)?.body.body(gdk_frame_clock_get_frame_time(clock)) == true ? 1 : 0
    }
    // GTK calls the notify once, whether the callback ended itself or the widget went.
    gtk_widget_add_tick_callback(
      widget, unsafeBitCast(call, to: GtkTickCallback.self), Handler(FrameLoop(body: body, continuation: continuation)).retained,
      releaseObject)
  }
}

/// Runs `body` when the widget's next frame has been drawn, before anything else can change.
@MainActor
func afterNextFrame(of widget: Widget, _ body: @escaping @MainActor () throws -> Void) async throws {
  guard let clock = gtk_widget_get_frame_clock(widget) else { return }
  try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
    once("after-paint", of: clock) { continuation.resume(with: Result(catching: body)) }
    gtk_widget_queue_draw(widget)
  }
}

@MainActor
private final class FrameLoop {
  let body: @MainActor (gint64) -> Bool
  private let continuation: CheckedContinuation<Void, Never>

  init(body: @escaping @MainActor (gint64) -> Bool, continuation: CheckedContinuation<Void, Never>) {
    self.body = body
    self.continuation = continuation
  }

  deinit { continuation.resume() }
}
