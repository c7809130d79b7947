import CGtk

/// Runs `body` whenever `object` emits a signal whose handler is `void (object, data)` in C: `clicked`, `changed`, `destroy`.
/// Returns the number that `g_signal_handler_disconnect` takes.
@discardableResult
@MainActor
func on(_ signal: String, of object: OpaquePointer, run body: @escaping @MainActor () -> Void) -> gulong {
  let call: @MainActor @convention(c) (gpointer?, gpointer?) -> Void = { _, data in
    Handler<@MainActor () -> Void>.of(data)?.body()
  }
  return connect(signal, of: object, unsafeBitCast(call, to: GCallback.self), Handler(body))
}

/// The same for the next emission only.
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

/// The same for `void (object, pointer, data)`: a list factory's `setup` and `bind`, every `notify`.
@MainActor
func onArgument(_ signal: String, of object: OpaquePointer, run body: @escaping @MainActor (OpaquePointer) -> Void) {
  let call: @MainActor @convention(c) (gpointer?, OpaquePointer?, gpointer?) -> Void = { _, argument, data in
    if let argument { Handler<@MainActor (OpaquePointer) -> Void>.of(data)?.body(argument) }
  }
  connect(signal, of: object, unsafeBitCast(call, to: GCallback.self), Handler(body))
}

/// The same for `void (object, position, data)`: a grid's `activate`.
@MainActor
func onPosition(_ signal: String, of object: OpaquePointer, run body: @escaping @MainActor (Int) -> Void) {
  let call: @MainActor @convention(c) (gpointer?, guint, gpointer?) -> Void = { _, position, data in
    Handler<@MainActor (Int) -> Void>.of(data)?.body(Int(position))
  }
  connect(signal, of: object, unsafeBitCast(call, to: GCallback.self), Handler(body))
}

/// A Swift closure on its way through C's `gpointer data`. The connection holds it and lets it go with itself.
final class Handler<Body> {
  let body: Body

  init(_ body: Body) { self.body = body }

  /// A pointer that owns the handler until ``releaseObject`` gets it.
  var retained: gpointer { Unmanaged.passRetained(self).toOpaque() }

  /// The handler that ``retained`` made a pointer of; the caller must know its type.
  static func of(_ data: gpointer?) -> Handler? {
    data.map { Unmanaged<Handler>.fromOpaque($0).takeUnretainedValue() }
  }
}

/// A destroy notify for what `Unmanaged.passRetained` gave away. Object references are counted alike whatever the class.
let releaseObject: @convention(c) (gpointer?) -> Void = { data in
  if let data { Unmanaged<AnyObject>.fromOpaque(data).release() }
}

@discardableResult
@MainActor
private func connect<Body>(_ signal: String, of object: OpaquePointer, _ callback: GCallback, _ handler: Handler<Body>) -> gulong {
  // The callback was cast to GLib's untyped one, and is called with the arguments that the signal's documentation promises.
  let release: GClosureNotify = { data, _ in releaseObject(data) }
  return g_signal_connect_data(gpointer(object), signal, callback, handler.retained, release, GConnectFlags(rawValue: 0))
}
