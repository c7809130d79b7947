/// The pixels that futures hold until the main actor shows them, under one limit. A blocked main thread shows nothing, and the limit of the
/// pixel pool does not cover pixels that are held outside of it.
final class ArrivedBytes: Sendable {
  /// Counts the pixels of one image until it is deallocated.
  final class Share: Sendable {
    private let count: Int
    private let owner: ArrivedBytes

    fileprivate init(_ count: Int, _ owner: ArrivedBytes) {
      self.count = count
      self.owner = owner
    }

    deinit { owner.total.withLock { $0 -= count } }
  }

  private let limit: Int
  fileprivate let total = Lock(0)

  /// - Parameter limit: the limit, in bytes of pixels.
  init(limit: Int) {
    self.limit = limit
  }

  var count: Int { total.withLock { $0 } }

  /// Returns nil if there is no room. An image larger than the limit has room while no other is counted.
  func share(of count: Int) -> Share? {
    let hasRoom = total.withLock { total in
      guard total == 0 || total + count <= limit else { return false }
      total += count
      return true
    }
    return hasRoom ? Share(count, self) : nil
  }
}
