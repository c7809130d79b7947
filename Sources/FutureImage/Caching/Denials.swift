/// Decides which failures of disk writes are reported: of those for want of permission the first, and the first after a picture was stored.
///
/// A locked device denies each write until it is unlocked, and again when it is locked again. Groups of files count by themselves (see
/// ``TierPlace``): one may be protected while another is not.
///
/// | write | is reported |
/// | --- | --- |
/// | fails for another reason | yes |
/// | is denied | yes |
/// | is denied | no |
/// | is denied in another group | yes |
/// | stores something | |
/// | is denied | yes |
struct Denials {
  private static let most = 256

  private var groups: Set<String> = []

  /// - Parameters:
  ///   - isDenial: Whether it is for want of permission.
  ///   - group: Nil for a failure that belongs to no write.
  mutating func mustReportFailure(isDenial: Bool, of group: String?) -> Bool {
    guard isDenial else { return true }
    if groups.count >= Self.most { groups = [] }
    return groups.insert(group ?? "").inserted
  }

  /// A picture was stored. A removal says nothing: a locked device permits it.
  mutating func noteStored(in group: String) {
    if !groups.isEmpty { groups.remove(group) }
  }
}
