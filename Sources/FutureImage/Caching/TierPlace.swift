/// Where a disk tier writes.
///
/// An object: it goes from hand to hand for each picture that is stored, and a copy of three texts is not cheap.
final class TierPlace: Sendable {
  /// The name of what must be written in order: a path as it was given, without "." and "..", or an object.
  let name: String
  /// The same with symbolic links resolved, as far as that is known without asking the disk.
  let resolvedName: String
  /// The name of what may hang together: the folder, or the object.
  let group: String

  init(name: String, resolvedName: String? = nil, group: String) {
    self.name = name
    self.resolvedName = resolvedName ?? name
    self.group = group
  }

  /// The names by which the place is known, each once.
  var names: [String] { name == resolvedName ? [name] : [name, resolvedName] }

  func isSamePlace(as other: TierPlace) -> Bool { names.contains { other.names.contains($0) } }

  /// One key of a place that has many.
  func at(_ key: String) -> TierPlace {
    // A path has no zero byte.
    TierPlace(name: "\(name)\0\(key)", resolvedName: "\(resolvedName)\0\(key)", group: group)
  }
}

extension FutureImage.DiskTier {
  var place: TierPlace {
    if let blocking = self as? any BlockingTier { return blocking.filePlace }
    let name = String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16)
    return TierPlace(name: name, group: name)
  }

  /// The name of what may hang together, as in ``TierPlace``.
  var group: String { (self as? any BlockingTier)?.group ?? String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16) }
}
