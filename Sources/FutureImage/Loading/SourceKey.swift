/// The key of a source, with its digest beside it. A picture is looked up by its key many times in its life: neither the text nor where it
/// lies in memory is read for that, unless another key of the same digest turns up.
struct SourceKey: Hashable, Sendable {
  let text: String
  /// Of this process only: seeded anew in each, so that no server can choose keys that collide.
  let digest: Int

  init(_ text: String) {
    self.text = text
    digest = text.hashValue
  }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.digest == rhs.digest && lhs.text == rhs.text }

  func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
