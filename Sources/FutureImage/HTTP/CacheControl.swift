/// The directives of a `Cache-Control` field. Format: RFC 9111, section 5.2, with the lists of RFC 9110, section 5.6.
///
/// Names are case-insensitive. If a name occurs twice, its first directive counts. Unknown directives are ignored.
struct CacheControl: Equatable {
  /// The arguments by lowercase name, without quotes. A directive without an argument maps to an empty string.
  private(set) var directives: [String: String] = [:]

  init(_ field: String?) {
    guard let field else { return }
    var rest = Array(field.utf8)[...]
    while !rest.isEmpty {
      let directive = Self.takeDirective(&rest)
      let equals = directive.firstIndex(of: UInt8(ascii: "=")) ?? directive.endIndex
      let name = String(decoding: directive[..<equals].withoutBlanks, as: UTF8.self).lowercased()
      guard !name.isEmpty, directives[name] == nil else { continue }
      directives[name] = String(decoding: directive[equals...].dropFirst().withoutBlanks.withoutQuotes, as: UTF8.self)
    }
  }

  func has(_ name: String) -> Bool { directives[name] != nil }

  /// Returns a directive's argument in seconds, or nil if the directive is missing. By section 1.2.2, a number that is too large counts as
  /// 2³¹. Text that is not a number counts as 0, which is the safe value.
  func seconds(_ name: String) -> TimeInterval? { directives[name].map { Self.seconds($0) ?? 0 } }

  static func seconds(_ text: String) -> TimeInterval? {
    Int(deltaSeconds: text).map { TimeInterval($0) }
  }

  /// Removes the next directive and the comma after it, and returns the directive. A comma inside quotes does not end the directive.
  private static func takeDirective(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var isQuoted = false
    var index = rest.startIndex
    while index < rest.endIndex, isQuoted || rest[index] != UInt8(ascii: ",") {
      switch rest[index] {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: "\\") where isQuoted: index += 1
      default: break
      }
      index += 1
    }
    index = min(index, rest.endIndex)
    defer { rest = rest[index...].dropFirst() }
    return rest[..<index]
  }
}

extension ArraySlice<UInt8> {
  /// The bytes without the surrounding optional white space of RFC 9110, section 5.6.3.
  fileprivate var withoutBlanks: Self {
    let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    guard let start = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) }) else { return [] }
    return self[start...last]
  }

  fileprivate var withoutQuotes: Self {
    count >= 2 && first == UInt8(ascii: "\"") && last == UInt8(ascii: "\"") ? dropFirst().dropLast() : self
  }
}
