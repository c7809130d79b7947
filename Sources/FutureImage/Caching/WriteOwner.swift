/// A loader or a cache whose changes wait in a ``WriteBehind``. Its methods are called outside all locks.
protocol WriteOwner: AnyObject, Sendable {
  /// Starts the owner's writes that may begin now, and notes that some have ended.
  func writesMayBegin()
  /// Reports that a change could not be made. The tier's earlier entry is then removed, which may fail, too.
  func failed(_ write: TierWrites.Write, with error: any Error)
  /// Records the end of a change, and of the removal that may follow it.
  func ended(_ write: TierWrites.Write, hasSucceeded: Bool)
}
