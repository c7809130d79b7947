/// A history of the calls for one key of a cache. It checks the values that were read.
///
/// Each call has a beginning and an end. A value that was read must have been set or fetched before the end of the read. In addition, no
/// change may have replaced the value before the read. A change replaces a value that was set if the change began after the end of the set.
/// A change replaces a value that was fetched if the change began after the beginning of the fetch. In both cases, the change counts only
/// if it ended before the read began.
struct CacheHistory {
  enum Act: Hashable {
    case set(Int)
    case fetch
    case remove
  }

  private struct Call {
    let act: Act
    let began: Int
    var ended = Int.max
  }

  /// The value that every fetch gets.
  static let fetched = 0

  private var calls: [Call] = []

  /// Records the beginning of a call.
  /// - Returns: the number of the call.
  mutating func begin(_ act: Act, at moment: Int) -> Int {
    calls.append(Call(act: act, began: moment))
    return calls.count - 1
  }

  /// Records a fetch that has begun by that moment.
  mutating func noteRequest(at moment: Int) { calls.append(Call(act: .fetch, began: moment)) }

  mutating func end(_ call: Int, at moment: Int) { calls[call].ended = moment }

  /// Checks a value that was read between two moments.
  /// - Parameter value: the value; nil if the cache had no value.
  /// - Returns: the fault; nil if the value is right.
  func fault(of value: Int?, readFrom began: Int, to ended: Int) -> String? {
    let changes = calls.filter { $0.act != .fetch }
    func replacement(of source: Call) -> Call? {
      // Every change since the beginning of a fetch replaces the fetched value.
      let since = source.act == .fetch ? source.began : source.ended
      return changes.first { $0.began > since && $0.ended < began }
    }
    guard let value else {
      // A value that was set before the read must be found, unless a removal may have followed the set.
      let lost = calls.last { call in
        guard case .set = call.act, call.ended < began else { return false }
        return !calls.contains { $0.act == .remove && $0.ended > call.began && $0.began < ended }
      }
      return lost.map { "\($0.act) was lost" }
    }
    let source: Act = value == Self.fetched ? .fetch : .set(value)
    let candidates = calls.filter { $0.act == source && $0.began < ended }
    if candidates.isEmpty { return "\(value) was read, and no call had set or fetched it" }
    let replacements = candidates.compactMap(replacement)
    guard replacements.count == candidates.count, let last = replacements.last else { return nil }
    return "\(value) was read from \(began) to \(ended), and \(last.act) had replaced it from \(last.began) to \(last.ended)"
  }
}
