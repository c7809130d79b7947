import Foundation

/// A change that a disk tier has yet to make. The change belongs to an owner, which is a loader or a cache (``WriteOwner``).
package enum TierChange: Sendable {
  case store(TierValue)
  case remove
  /// Removes the entry if it has these bytes. A better entry may have been stored since the bytes were read.
  case removeBytes(Data)
  /// No change. Another owner's later change of the key has replaced the original change, which may have been a store.
  case nothing(isStore: Bool)

  /// The memory in bytes that the change uses until it is made.
  package var bytes: Int {
    switch self {
    case .store(let value): value.bytes
    case .removeBytes(let bytes): bytes.count
    case .remove, .nothing: 0
    }
  }

  /// Whether the tier's earlier entry must not be found anymore.
  package var replaces: Bool {
    switch self {
    case .store(let value): value.replaces
    case .remove, .removeBytes: true
    case .nothing: false
    }
  }

  package var isRemoval: Bool {
    switch self {
    case .remove, .removeBytes: true
    case .store, .nothing: false
    }
  }

  /// Whether the change stores a value, or was a store before it was replaced.
  package var isStore: Bool {
    switch self {
    case .store: true
    case .remove, .removeBytes: false
    case .nothing(let isStore): isStore
    }
  }
}

/// A value that waits to be stored.
package struct TierValue: Sendable {
  /// The value in the form that its owner uses, which is not encoded.
  package let object: any Sendable
  /// The encoded value; nil if the value has yet to be encoded.
  package let entry: FutureImage.CacheEntry?
  /// Returns the entry, and encodes the value first if necessary.
  package let encode: @Sendable () async throws -> FutureImage.CacheEntry
  /// The memory in bytes that the value uses.
  package let bytes: Int
  /// Whether the tier's earlier entry must not be found anymore, even if this value cannot be stored.
  package var replaces: Bool

  package init(_ object: any Sendable, _ entry: FutureImage.CacheEntry, replaces: Bool) {
    self.object = object
    self.entry = entry
    encode = { entry }
    bytes = entry.body.count
    self.replaces = replaces
  }

  /// - Parameter bytes: an estimate of the value's encoded size.
  package init(_ object: any Sendable, bytes: Int, replaces: Bool, encode: @escaping @Sendable () async throws -> FutureImage.CacheEntry) {
    self.object = object
    entry = nil
    self.encode = encode
    self.bytes = bytes
    self.replaces = replaces
  }
}
