/// The location to which a disk tier writes.
///
/// This is a class, because it is passed along for each stored image, and copying three strings is expensive.
package final class TierLocation: Sendable {
  /// The name of the line, which is a sequence of writes that must run in order (see ``TierWrites``). It is a path as given, without "."
  /// and "..", or the identifier of an object.
  package let name: String
  /// The same name with symbolic links resolved, as far as they are known without accessing the disk.
  package let resolvedName: String
  /// The name of the group of locations whose writes may all hang at the same time. It is the folder, or the identifier of an object.
  package let group: String

  package init(name: String, resolvedName: String? = nil, group: String) {
    self.name = name
    self.resolvedName = resolvedName ?? name
    self.group = group
  }

  /// The names of the location, without duplicates.
  var names: [String] { name == resolvedName ? [name] : [name, resolvedName] }

  func isSamePlace(as other: TierLocation) -> Bool { names.contains { other.names.contains($0) } }

  /// Returns the location of one key in a location with many keys.
  package func at(_ key: String) -> TierLocation {
    // No path contains a zero byte, so these names are unambiguous.
    TierLocation(name: "\(name)\0\(key)", resolvedName: "\(resolvedName)\0\(key)", group: group)
  }
}

extension FutureImage.DiskTier {
  package var location: TierLocation {
    if let blocking = self as? any BlockingTier { return blocking.fileLocation }
    let name = String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16)
    return TierLocation(name: name, group: name)
  }

  /// The name of the tier's group, as in ``TierLocation``.
  package var group: String { (self as? any BlockingTier)?.group ?? String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16) }
}
