/// The calls for one key of a cache, and a check of the values that were read against them.
///
/// Each call lies between two moments. A value that was read must have been set or fetched before the read ended, and no call that lies
/// entirely between it and the read may have replaced it.
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

  /// The value of a fetch.
  static let fetched = 0

  private var calls: [Call] = []

  /// - Returns: the number of the call.
  mutating func begin(_ act: Act, at moment: Int) -> Int {
    calls.append(Call(act: act, began: moment))
    return calls.count - 1
  }

  /// Records a fetch that began some time before.
  mutating func noteRequest(at moment: Int) { calls.append(Call(act: .fetch, began: moment)) }

  mutating func end(_ call: Int, at moment: Int) { calls[call].ended = moment }

  /// - Returns: the fault of a value that was read between those moments.
  func fault(of value: Int?, readFrom began: Int, to ended: Int) -> String? {
    let changes = calls.filter { $0.act != .fetch }
    func replacement(of source: Call) -> Call? {
      // Every change since its start replaces the value of a fetch.
      let since = source.act == .fetch ? source.began : source.ended
      return changes.first { $0.began > since && $0.ended < began }
    }
    guard let value else {
      let lost = calls.last { call in
        guard case .set = call.act, call.ended < began else { return false }
        return !calls.contains { $0.act == .remove && $0.ended > call.began && $0.began < ended }
      }
      return lost.map { "\($0.act) was lost" }
    }
    let source: Act = value == Self.fetched ? .fetch : .set(value)
    let candidates = calls.filter { $0.act == source && $0.began < ended }
    if candidates.isEmpty { return "\(value) was read, and nobody had it" }
    let replacements = candidates.compactMap(replacement)
    guard replacements.count == candidates.count, let last = replacements.last else { return nil }
    return "\(value) was read from \(began) to \(ended), and \(last.act) had taken its place from \(last.began) to \(last.ended)"
  }
}
