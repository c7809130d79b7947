/// The pixels that futures hold until the main actor shows them, under one limit. A main thread that is blocked shows nothing, and the
/// pixel pool's limit does not cover what somebody else holds.
final class ArrivedBytes: Sendable {
  /// Counts the pixels of one picture for as long as it lives.
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

  /// - Parameter limit: in bytes of pixels.
  init(limit: Int) {
    self.limit = limit
  }

  var count: Int { total.withLock { $0 } }

  /// Nil where there is no room. A picture beyond the limit has room while there is no other.
  func share(of count: Int) -> Share? {
    let hasRoom = total.withLock { total in
      guard total == 0 || total + count <= limit else { return false }
      total += count
      return true
    }
    return hasRoom ? Share(count, self) : nil
  }
}
