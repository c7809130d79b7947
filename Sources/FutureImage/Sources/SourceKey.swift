/// The key of a source, stored with its digest. An image is looked up by its key many times: neither the text nor its location in memory is
/// read for that, unless another key has the same digest.
struct SourceKey: Hashable, Sendable {
  let text: String
  /// The digest in this process only: each process has its own seed, so that no server can choose keys that collide.
  let digest: Int

  init(_ text: String) {
    self.text = text
    digest = text.hashValue
  }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.digest == rhs.digest && lhs.text == rhs.text }

  func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
