extension TierWrites {
  /// The result of a read, as far as it is known without reading the tier.
  package enum Known {
    case value(TierValue)
    case missing
    case unknown
  }

  /// The reason why an image is not stored.
  package struct Behind: Error, CustomStringConvertible {
    package let description = "the disk tier does not store the image, because too many writes wait for it"

    package init() {}
  }

  /// The outcome of adding a change.
  package struct Added {
    /// Whether the tier will make the change. If not, an entry that the change was to replace is no longer found.
    package var isAccepted = true
    /// Whether the caller must start a timer that calls ``TierWrites/release(_:)``, so that the owner's writes do not wait forever.
    var mustTime = false
    /// The change that the new change replaces. The caller releases it outside its lock.
    package var replaced: TierChange?
    /// Whether the replaced change was the owner's own. If so, the owner is not notified of the end of that change.
    var replacesOwn = false
  }

  /// The consequences of the end of a write, to be performed outside all locks.
  struct Ended {
    /// The owners of writes that may be able to begin now.
    var owners: [any WriteOwner] = []
    var waiters: [CheckedContinuation<Void, Never>] = []
  }
}
