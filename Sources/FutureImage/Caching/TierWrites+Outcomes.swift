extension TierWrites {
  /// The answer to a read that needs no tier, if there is one.
  package enum Known {
    case value(TierValue)
    case missing
    case unknown
  }

  /// The reason why an image is not stored.
  package struct Behind: Error, CustomStringConvertible {
    package let description = "a disk tier is too far behind; it does not get the picture"

    package init() {}
  }

  /// The outcome of adding a change.
  package struct Added {
    /// Whether the tier will make the change. If not, it will remove the entry that the change was to replace.
    package var isAccepted = true
    /// Whether the caller has to call ``TierWrites/release(_:)`` after a while.
    var mustTime = false
    /// The change that this one replaces. The caller releases it outside its lock.
    package var replaced: TierChange?
    /// Whether the replaced change was the owner's own. Its end is not told.
    var replacesOwn = false
  }

  /// The consequences of the end of a write, to be performed outside all locks.
  struct Ended {
    /// The owners of writes that may be able to begin now.
    var owners: [any WriteOwner] = []
    var waiters: [CheckedContinuation<Void, Never>] = []
  }
}
