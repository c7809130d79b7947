import Foundation

extension LoopbackServer.Answer {
  /// Sends `ETag: "tag"`, and 304 to an `If-None-Match` that has it. The tag is given without quotes.
  public func eTag(_ tag: String, weak: Bool = false) -> Self {
    with { $0.validators.eTag = weak ? "W/\"\(tag)\"" : "\"\(tag)\"" }
  }

  /// Sends `Last-Modified`, whole seconds, and 304 to an `If-Modified-Since` of exactly that date, which is what clients send back.
  public func lastModified(_ date: Date) -> Self {
    with { $0.validators.setLastModified(date) }
  }

  /// Sends `Accept-Ranges`, 206 to a `Range` of one part, 416 to one outside of the body, and the whole body if `If-Range` does not hold.
  public func ranges() -> Self {
    with { $0.servesRanges = true }
  }

  /// Promises the whole body, sends only so many bytes of it and closes in good order.
  public func truncated(after bytes: Int) -> Self {
    with { $0.breakOff = .truncated(after: bytes) }
  }

  /// Sends head and so many bytes, then resets the connection (`SO_LINGER` of zero).
  ///
  /// A reset overtakes bytes that still wait in the kernel's send buffer: if the client reads slowly it may see fewer, never more.
  public func reset(after bytes: Int) -> Self {
    with { $0.breakOff = .reset(after: bytes) }
  }

  /// Sends chunks of these sizes in bytes, the last size again until the body ends.
  /// - Parameters:
  ///   - sizes: in bytes, without the framing.
  ///   - cut: ends in the middle of the last chunk by closing in good order.
  public func chunked(_ sizes: Int..., cut: Bool = false) -> Self {
    with { $0.framing = .chunked(sizes: sizes, isCut: cut) }
  }

  /// Sends this `Content-Length`, a number or any text, with the body as it is, and closes, for the next answer could not be found.
  ///
  /// To stall instead of closing, hold the body after its last byte.
  public func declaring(contentLength: some LosslessStringConvertible & Sendable) -> Self {
    with { $0.framing = .declared(contentLength.description) }
  }

  /// Sends no length at all: the body ends where the connection does.
  public func untilClose() -> Self {
    with { $0.framing = .untilClose }
  }

  /// Waits before the head. The wait ends early when the client hangs up or the server stops, as in every modifier that waits.
  public func latency(_ duration: Duration) -> Self {
    with { $0.latency = duration }
  }

  /// Sends the body so many bytes at a time, with a pause between. The first ones go with the head.
  public func drip(bytes: Int, every interval: Duration) -> Self {
    with { $0.drip = Drip(byteCount: max(1, bytes), interval: interval) }
  }

  /// Waits at the gate before the head, after any latency.
  public func held(by gate: LoopbackServer.Gate) -> Self {
    with { $0.gate = gate }
  }

  /// Sends head and so many bytes, then waits at the gate. 0 holds the whole body, the body's size or more what comes after it.
  public func heldBody(after bytes: Int, by gate: LoopbackServer.Gate) -> Self {
    with { $0.hold = Hold(byteCount: bytes, gate: gate) }
  }
}
