extension FutureImage {
  /// The events of an exchange, in this order: one response, then bytes.
  public enum FetchEvent: Sendable {
    /// The response, once, before the body.
    case response(Response)
    /// A piece of the body, with its content coding decoded.
    case bytes(Data)
  }
}
