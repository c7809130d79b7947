import Foundation

/// A change that a disk tier has yet to make.
enum TierChange: Sendable {
  case store(TierValue)
  case remove
  /// Removes the entry if it has these bytes: a better one may have been stored since they were read.
  case removeBytes(Data)
  /// Nothing any more: another owner's later change of the key replaces this one, which may have been a store.
  case nothing(isStore: Bool)

  /// The memory that the change takes until it is made, in bytes.
  var bytes: Int {
    switch self {
    case .store(let value): value.bytes
    case .removeBytes(let bytes): bytes.count
    case .remove, .nothing: 0
    }
  }

  /// Whether the tier's earlier entry must not be found any more.
  var replaces: Bool {
    switch self {
    case .store(let value): value.replaces
    case .remove, .removeBytes: true
    case .nothing: false
    }
  }

  var isRemoval: Bool {
    switch self {
    case .remove, .removeBytes: true
    case .store, .nothing: false
    }
  }

  /// Whether it stores a value, or was to.
  var isStore: Bool {
    switch self {
    case .store: true
    case .remove, .removeBytes: false
    case .nothing(let isStore): isStore
    }
  }
}

/// A value that waits to be stored.
struct TierValue: Sendable {
  /// The value as its owner uses it.
  let object: any Sendable
  /// Nil if it is yet to be encoded.
  let entry: FutureImage.CacheEntry?
  /// Returns the entry, for which it may encode the value.
  let encode: @Sendable () async throws -> FutureImage.CacheEntry
  /// The memory that it takes, in bytes.
  let bytes: Int
  /// Whether the tier's earlier entry must not be found any more, even if this value cannot be stored.
  var replaces: Bool

  init(_ object: any Sendable, _ entry: FutureImage.CacheEntry, replaces: Bool) {
    self.object = object
    self.entry = entry
    encode = { entry }
    bytes = entry.body.count
    self.replaces = replaces
  }

  /// - Parameter bytes: an estimate of its encoded size.
  init(_ object: any Sendable, bytes: Int, replaces: Bool, encode: @escaping @Sendable () async throws -> FutureImage.CacheEntry) {
    self.object = object
    entry = nil
    self.encode = encode
    self.bytes = bytes
    self.replaces = replaces
  }
}
