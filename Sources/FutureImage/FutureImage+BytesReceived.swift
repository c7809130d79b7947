extension FutureImage {
  /// The received bytes of an image, for a label beside a progress bar.
  public struct BytesReceived: Sendable, Hashable {
    /// The number of bytes so far, without their content coding.
    public let count: Int
    /// The number of bytes of the whole image; nil while it is unknown, as for a compressed response.
    public let expected: Int?
  }

  /// The bytes that the current transfer has received; nil while there is none: before the response, and once the image has arrived or
  /// failed.
  ///
  ///     photoView.display(photo, .init { [weak photo] _ in
  ///       label.text = photo?.bytesReceived.map { "\($0.count) bytes" }
  ///     })
  ///
  /// The number is current at each read. ``phase`` changes, and `onPhase` is called, after each fiftieth of the image, or after every 32
  /// KiB or more while the length is unknown. A retry continues the count if the server supports it; otherwise the count starts at 0 again.
  /// Any thread may read it. Reading it requests no pixels.
  public var bytesReceived: BytesReceived? {
    let future = root
    guard let reader = future.readerInUse else { return nil }
    reader.start()
    future.access(\.phase, of: reader)
    // The body has its own lock.
    let interims = reader.withLock { $0.isPending ? $0.picture?.fetch?.interims : nil }
    return interims?.received
  }
}
