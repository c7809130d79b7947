import CGtk

/// Runs `body` whenever `object` emits the signal. In C, the signal's handler is `void (object, data)`, as for `clicked`, `changed`, and
/// `destroy`.
/// Returns the number of the connection, for `g_signal_handler_disconnect`.
@discardableResult
@MainActor
func on(_ signal: String, of object: OpaquePointer, run body: @escaping @MainActor () -> Void) -> gulong {
  let call: @MainActor @convention(c) (gpointer?, gpointer?) -> Void = { _, data in
    Handler<@MainActor () -> Void>.of(data)?.body()
  }
  return connect(signal, of: object, unsafeBitCast(call, to: GCallback.self), Handler(body))
}

/// Does the same as ``on(_:of:run:)``, but only for the next emission.
@MainActor
func once(_ signal: String, of object: OpaquePointer, run body: @escaping @MainActor () -> Void) {
  let connection = Connection()
  connection.number = on(signal, of: object) {
    g_signal_handler_disconnect(gpointer(object), connection.number)
    body()
  }
}

@MainActor
private final class Connection {
  var number: gulong = 0
}

/// Does the same as ``on(_:of:run:)`` for handlers `void (object, pointer, data)`, as for a list factory's `setup` and `bind` and every
/// `notify`.
@MainActor
func onArgument(_ signal: String, of object: OpaquePointer, run body: @escaping @MainActor (OpaquePointer) -> Void) {
  let call: @MainActor @convention(c) (gpointer?, OpaquePointer?, gpointer?) -> Void = { _, argument, data in
    if let argument { Handler<@MainActor (OpaquePointer) -> Void>.of(data)?.body(argument) }
  }
  connect(signal, of: object, unsafeBitCast(call, to: GCallback.self), Handler(body))
}

/// Does the same as ``on(_:of:run:)`` for handlers `void (object, position, data)`, as for a grid's `activate`.
@MainActor
func onPosition(_ signal: String, of object: OpaquePointer, run body: @escaping @MainActor (Int) -> Void) {
  let call: @MainActor @convention(c) (gpointer?, guint, gpointer?) -> Void = { _, position, data in
    Handler<@MainActor (Int) -> Void>.of(data)?.body(Int(position))
  }
  connect(signal, of: object, unsafeBitCast(call, to: GCallback.self), Handler(body))
}

/// A Swift closure that is passed through C's `gpointer data`. The signal's connection retains the closure, and releases it when the
/// connection ends.
final class Handler<Body> {
  let body: Body

  init(_ body: Body) { self.body = body }

  /// A pointer that owns the handler until the pointer is passed to ``releaseObject``.
  var retained: gpointer { Unmanaged.passRetained(self).toOpaque() }

  /// Returns the handler from which ``retained`` made the pointer. The caller must know its type.
  static func of(_ data: gpointer?) -> Handler? {
    data.map { Unmanaged<Handler>.fromOpaque($0).takeUnretainedValue() }
  }
}

/// A destroy notify that releases an object retained by `Unmanaged.passRetained`. It works for every class, because all classes count
/// references in the same way.
let releaseObject: @convention(c) (gpointer?) -> Void = { data in
  if let data { Unmanaged<AnyObject>.fromOpaque(data).release() }
}

@discardableResult
@MainActor
private func connect<Body>(_ signal: String, of object: OpaquePointer, _ callback: GCallback, _ handler: Handler<Body>) -> gulong {
  // The caller has cast the callback to GLib's untyped callback. GLib calls it with the arguments that the signal's documentation promises.
  let release: GClosureNotify = { data, _ in releaseObject(data) }
  return g_signal_connect_data(gpointer(object), signal, callback, handler.retained, release, GConnectFlags(rawValue: 0))
}
