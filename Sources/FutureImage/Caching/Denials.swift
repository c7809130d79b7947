/// The rule that decides which failures of disk writes are reported. Among failures for lack of permission, only the first failure and the
/// first failure after each stored entry are reported.
///
/// A locked device denies every write until it is unlocked, and again after it is locked again. Groups of files are counted separately (see
/// ``TierLocation``), because one group may be protected while another is not.
///
/// | write | reported |
/// | --- | --- |
/// | fails for another reason | yes |
/// | is denied | yes |
/// | is denied | no |
/// | is denied in another group | yes |
/// | stores something | |
/// | is denied | yes |
package struct Denials {
  /// The maximum number of groups. If it is exceeded, all groups are forgotten, so that the set stays small.
  private static let maxGroups = 256

  private var groups: Set<String> = []

  package init() {}

  /// - Parameters:
  ///   - isDenial: whether the failure is for lack of permission.
  ///   - group: the group of the write; nil if the failure did not occur in a write.
  package mutating func mustReportFailure(isDenial: Bool, of group: String?) -> Bool {
    guard isDenial else { return true }
    if groups.count >= Self.maxGroups { groups = [] }
    return groups.insert(group ?? "").inserted
  }

  /// Records that an entry was stored. Removals are not recorded, because a locked device permits them.
  package mutating func noteStored(in group: String) {
    if !groups.isEmpty { groups.remove(group) }
  }
}
