import Foundation

extension LoopbackServer.Answer {
  /// Sends `ETag: "tag"`. Answers with 304 if `If-None-Match` contains the tag. Pass the tag without quotes.
  public func eTag(_ tag: String, weak: Bool = false) -> Self {
    with { $0.validators.eTag = weak ? "W/\"\(tag)\"" : "\"\(tag)\"" }
  }

  /// Sends `Last-Modified` in whole seconds. Answers with 304 if `If-Modified-Since` is exactly that date. Clients send the date back
  /// unchanged.
  public func lastModified(_ date: Date) -> Self {
    with { $0.validators.setLastModified(date) }
  }

  /// Sends `Accept-Ranges`. Answers with 206 to a `Range` of one part, and with 416 if that part is outside the body. Answers with the
  /// whole body if the condition in `If-Range` is not met.
  public func ranges() -> Self {
    with { $0.servesRanges = true }
  }

  /// Declares the length of the whole body, sends only this many bytes of it, and closes the connection gracefully.
  public func truncated(after bytes: Int) -> Self {
    with { $0.breakOff = .truncated(after: bytes) }
  }

  /// Sends the head and this many bytes, then resets the connection (`SO_LINGER` of zero).
  ///
  /// A reset overtakes bytes that are still in the kernel's send buffer. So a client that reads slowly may see fewer bytes, but never more.
  public func reset(after bytes: Int) -> Self {
    with { $0.breakOff = .reset(after: bytes) }
  }

  /// Sends chunks of these sizes in bytes, and repeats the last size until the body ends.
  /// - Parameters:
  ///   - sizes: the sizes in bytes, without the framing.
  ///   - cut: whether to close the connection gracefully in the middle of the last chunk.
  public func chunked(_ sizes: Int..., cut: Bool = false) -> Self {
    with { $0.framing = .chunked(sizes: sizes, isCut: cut) }
  }

  /// Sends this `Content-Length`, which may be a number or any other text. The body is unchanged. If the text is not the body's length, the
  /// server then closes the connection, because the client could not find the next answer.
  ///
  /// To stall instead of closing the connection, hold the body after its last byte.
  public func declaring(contentLength: some LosslessStringConvertible & Sendable) -> Self {
    with { $0.framing = .declared(contentLength.description) }
  }

  /// Sends no length. The body ends when the connection closes.
  public func untilClose() -> Self {
    with { $0.framing = .untilClose }
  }

  /// Waits for the duration before it sends the head. As with every modifier that waits, the wait ends early if the client hangs up or the
  /// server stops.
  public func latency(_ duration: Duration) -> Self {
    with { $0.latency = duration }
  }

  /// Sends the body in pieces of this many bytes, with a pause between them. The first piece is sent with the head.
  public func drip(bytes: Int, every interval: Duration) -> Self {
    with { $0.drip = Drip(byteCount: max(1, bytes), interval: interval) }
  }

  /// Waits at the gate before it sends the head, after any latency.
  public func held(by gate: LoopbackServer.Gate) -> Self {
    with { $0.gate = gate }
  }

  /// Sends the head and this many bytes of the body, then waits at the gate. With 0, waits before the first byte of the body. With the
  /// body's size or more, waits after the last byte.
  public func heldBody(after bytes: Int, by gate: LoopbackServer.Gate) -> Self {
    with { $0.hold = Hold(byteCount: bytes, gate: gate) }
  }
}
