import Foundation

/// A change that a disk tier has yet to make.
package enum TierChange: Sendable {
  case store(TierValue)
  case remove
  /// Removes the entry if it has these bytes: a better one may have been stored since they were read.
  case removeBytes(Data)
  /// Nothing any more: another owner's later change of the key replaces this one, which may have been a store.
  case nothing(isStore: Bool)

  /// The memory that the change takes until it is made, in bytes.
  package var bytes: Int {
    switch self {
    case .store(let value): value.bytes
    case .removeBytes(let bytes): bytes.count
    case .remove, .nothing: 0
    }
  }

  /// Whether the tier's earlier entry must not be found any more.
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

  /// Whether it stores a value, or was to.
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
  /// The value as its owner uses it.
  package let object: any Sendable
  /// Nil if it is yet to be encoded.
  package let entry: FutureImage.CacheEntry?
  /// Returns the entry, for which it may encode the value.
  package let encode: @Sendable () async throws -> FutureImage.CacheEntry
  /// The memory that it takes, in bytes.
  package let bytes: Int
  /// Whether the tier's earlier entry must not be found any more, even if this value cannot be stored.
  package var replaces: Bool

  package init(_ object: any Sendable, _ entry: FutureImage.CacheEntry, replaces: Bool) {
    self.object = object
    self.entry = entry
    encode = { entry }
    bytes = entry.body.count
    self.replaces = replaces
  }

  /// - Parameter bytes: an estimate of its encoded size.
  package init(_ object: any Sendable, bytes: Int, replaces: Bool, encode: @escaping @Sendable () async throws -> FutureImage.CacheEntry) {
    self.object = object
    entry = nil
    self.encode = encode
    self.bytes = bytes
    self.replaces = replaces
  }
}
