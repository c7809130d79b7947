import FutureImage

extension LoopbackServer {
  /// The part of a body that a `Range` field requests (RFC 9110, 14.1.2).
  ///
  /// | field, for a body of 10 bytes | result |
  /// | --- | --- |
  /// | `bytes=2-5` | part 2..<6 |
  /// | `bytes=2-`, `bytes=2-99` | part 2..<10 |
  /// | `bytes=-3` | part 7..<10 |
  /// | `bytes=10-`, `bytes=-0` | unsatisfiable |
  /// | no field, another unit, invalid text, several ranges | whole, because a server may ignore the field |
  enum ByteRange: Equatable {
    case whole
    case part(Range<Int>)
    case unsatisfiable

    init(_ field: String?, of byteCount: Int) {
      self = Self.parse(field, byteCount) ?? .whole
    }

    private static func parse(_ field: String?, _ byteCount: Int) -> ByteRange? {
      guard let field, field.lowercased().hasPrefix("bytes=") else { return nil }
      let bounds = field.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false).map(\.trimmingSpaces)
      guard bounds.count == 2 else { return nil }

      if bounds[0].isEmpty {
        guard let suffix = Int(digits: bounds[1]) else { return nil }
        return suffix == 0 || byteCount == 0 ? .unsatisfiable : .part(max(0, byteCount - suffix)..<byteCount)
      }
      guard let first = Int(digits: bounds[0]), let last = bounds[1].isEmpty ? Int.max : Int(digits: bounds[1]), first <= last else {
        return nil
      }
      return first < byteCount ? .part(first..<min(last, byteCount - 1) + 1) : .unsatisfiable
    }
  }
}
