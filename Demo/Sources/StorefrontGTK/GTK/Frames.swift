import CGtk

/// Calls `body` at each frame of the widget's clock, with the frame's time in microseconds. Stops when `body` returns false or the widget
/// is destroyed.
@MainActor
private func onEachFrame(of widget: Widget, _ body: @escaping @MainActor (gint64) -> Bool) {
  let call: @MainActor @convention(c) (Widget?, OpaquePointer?, gpointer?) -> gboolean = { _, clock, data in
    Handler<@MainActor (gint64) -> Bool>.of(data)?.body(gdk_frame_clock_get_frame_time(clock)) == true ? 1 : 0
  }
  // GTK calls `releaseObject` once, when the callback ends itself or the widget is destroyed.
  gtk_widget_add_tick_callback(widget, unsafeBitCast(call, to: GtkTickCallback.self), Handler(body).retained, releaseObject)
}

/// Calls `body` at each frame like ``onEachFrame(of:_:)``, and returns after the last call.
@MainActor
func eachFrame(of widget: Widget, _ body: @escaping @MainActor (gint64) -> Bool) async {
  await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
    let end = FrameLoopEnd(continuation)
    onEachFrame(of: widget) { now in withExtendedLifetime(end) { body(now) } }
  }
}

/// Runs `body` right after the widget's next frame was drawn, before anything else can change.
@MainActor
func afterNextFrame(of widget: Widget, _ body: @escaping @MainActor () throws -> Void) async throws {
  guard let clock = gtk_widget_get_frame_clock(widget) else { return }
  try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
    once("after-paint", of: clock) { continuation.resume(with: Result(catching: body)) }
    gtk_widget_queue_draw(widget)
  }
}

/// An object whose `deinit` resumes the caller of ``eachFrame(of:_:)``. Only the closure that runs at each frame retains the object, so the
/// object is freed after the last frame.
private final class FrameLoopEnd: Sendable {
  private let continuation: CheckedContinuation<Void, Never>

  init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }

  deinit { continuation.resume() }
}
