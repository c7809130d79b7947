/// The place where a disk tier writes.
///
/// A class: it is passed along for each stored image, and copying three strings is not cheap.
package final class TierLocation: Sendable {
  /// The name of the line, whose writes must run in order: a path as given, without "." and "..", or an object.
  package let name: String
  /// The same name with symbolic links resolved, as far as it is known without accessing the disk.
  package let resolvedName: String
  /// The name of the group that may hang together: the folder, or the object.
  package let group: String

  package init(name: String, resolvedName: String? = nil, group: String) {
    self.name = name
    self.resolvedName = resolvedName ?? name
    self.group = group
  }

  /// The names of the place, each once.
  var names: [String] { name == resolvedName ? [name] : [name, resolvedName] }

  func isSamePlace(as other: TierLocation) -> Bool { names.contains { other.names.contains($0) } }

  /// Returns the place of one key in a place with many.
  package func at(_ key: String) -> TierLocation {
    // A path has no zero byte.
    TierLocation(name: "\(name)\0\(key)", resolvedName: "\(resolvedName)\0\(key)", group: group)
  }
}

extension FutureImage.DiskTier {
  package var location: TierLocation {
    if let blocking = self as? any BlockingTier { return blocking.fileLocation }
    let name = String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16)
    return TierLocation(name: name, group: name)
  }

  /// The name of the group that may hang together, as in ``TierLocation``.
  package var group: String { (self as? any BlockingTier)?.group ?? String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16) }
}
