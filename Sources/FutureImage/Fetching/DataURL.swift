/// A `data:` URL: `data:[media type][;base64],bytes` (RFC 2397). The initializer reads the header, and a ``Reader`` decodes the content in
/// slices.
struct DataURL {
  /// The maximum size of a header in bytes. Media types have fewer than a hundred bytes.
  static let longestHeader = 8 << 10

  let mediaType: String
  fileprivate let isBase64: Bool
  /// The URL, in contiguous UTF-8.
  fileprivate let text: String
  /// The range of the content in the UTF-8 of `text`.
  fileprivate let content: Range<Int>

  /// - Throws: ``FutureImage/Failure``: `.refused` for a scheme other than `data`, `.malformed` for a header that cannot be decoded.
  init(_ url: URL) throws {
    guard url.scheme?.lowercased() == "data" else { throw FutureImage.Failure(.refused("it is not a data URL; check it")) }
    var text = url.absoluteString
    text.makeContiguousUTF8()
    self.text = text
    let start = "data:".utf8.count
    let header = text.utf8.dropFirst(start).prefix(Self.longestHeader).prefix { $0 != UInt8(ascii: "#") }
    guard let comma = header.firstIndex(of: UInt8(ascii: ",")) else {
      throw FutureImage.Failure(.malformed("the data URL has no comma before its content"))
    }
    let type = try Self.string(header[..<comma])
    let first = text.utf8.distance(from: text.utf8.startIndex, to: comma) + 1
    content = first..<Self.end(of: text, from: first)

    let typeBeforeBase64 = Self.typeBeforeBase64(type)
    isBase64 = typeBeforeBase64 != nil
    let mediaType = (typeBeforeBase64 ?? type).trimmingCharacters(in: Self.blanks)
    self.mediaType =
      mediaType.isEmpty ? "text/plain;charset=US-ASCII" : mediaType.hasPrefix(";") ? "text/plain" + mediaType : mediaType
  }

  /// ASCII white space.
  private static let blanks = CharacterSet(charactersIn: " \t\n\u{C}\r")

  /// Returns the part of the header before `;base64`; nil if the header does not end with `;base64`. As in browsers, blanks may surround
  /// the word `base64` (Fetch Standard, "data: URL processor").
  private static func typeBeforeBase64(_ header: String) -> String? {
    let header = header.trimmingCharacters(in: blanks)
    guard header.lowercased().hasSuffix("base64") else { return nil }
    let before = header.dropLast("base64".count)
    let end = before.lastIndex { $0 != " " }
    guard let end, before[end] == ";" else { return nil }
    return String(before[..<end])
  }

  private static func string(_ header: Substring.UTF8View) throws -> String {
    var reader = Reader(isBase64: false, content: 0..<header.count)
    return String(decoding: try reader.readAll(Array(header)), as: UTF8.self)
  }

  /// Returns the offset of the end of the content: the start of the fragment, or the end of the text if there is no fragment.
  private static func end(of text: String, from first: Int) -> Int {
    text.withBytes { bytes in bytes[first...].firstIndex(of: UInt8(ascii: "#")) ?? bytes.count }
  }
}

extension DataURL {
  /// Decodes the content from its beginning, one slice per call, so that the caller can do other work between the slices.
  ///
  /// White space in base64 is skipped, and the padding may be missing.
  struct Reader {
    private static let sliceSize = 256 << 10

    private let isBase64: Bool
    private let end: Int
    private var position: Int
    /// The trailing base64 bits that do not yet make a whole byte.
    private var bits: UInt32 = 0
    private var symbolCount = 0
    private var paddingCount = 0
    /// The number of bytes decoded so far.
    private(set) var count = 0

    fileprivate init(isBase64: Bool, content: Range<Int>) {
      self.isBase64 = isBase64
      (position, end) = (content.lowerBound, content.upperBound)
    }

    init(_ url: DataURL) {
      self.init(isBase64: url.isBase64, content: url.content)
    }

    /// Decodes and counts the next slice without storing it.
    /// - Returns: false after the last slice.
    /// - Throws: ``FutureImage/Failure`` with `.malformed`.
    mutating func skip(_ url: DataURL) throws -> Bool {
      guard position < end else { return false }
      try url.text.withBytes { bytes in try decode(bytes) { _ in } }
      return true
    }

    /// Returns the next slice's bytes; nil after the last slice.
    /// - Throws: ``FutureImage/Failure`` with `.malformed`.
    mutating func read(_ url: DataURL) throws -> Data? {
      guard position < end else { return nil }
      return Data(try url.text.withBytes { bytes in try slice(bytes) })
    }

    fileprivate mutating func readAll(_ bytes: [UInt8]) throws -> [UInt8] {
      var all: [UInt8] = []
      while position < end { all += try bytes.withUnsafeBufferPointer { try slice($0) } }
      return all
    }

    private mutating func slice(_ bytes: UnsafeBufferPointer<UInt8>) throws -> [UInt8] {
      var decoded: [UInt8] = []
      decoded.reserveCapacity(min(end - position, Self.sliceSize))
      try decode(bytes) { decoded.append($0) }
      return decoded
    }

    private mutating func decode(_ bytes: UnsafeBufferPointer<UInt8>, _ emit: (UInt8) -> Void) throws {
      let sliceEnd = min(end, position + Self.sliceSize)
      while position < sliceEnd {
        let byte = try nextByte(bytes)
        if !isBase64 {
          emit(byte)
          count += 1
        } else if try add(byte) {
          // The second, third, and fourth symbol of each four complete a byte, and leave 4, 2, and 0 bits for the next byte.
          emit(UInt8(truncatingIfNeeded: bits >> UInt32(symbolCount % 4 == 0 ? 0 : symbolCount % 4 == 3 ? 2 : 4)))
          count += 1
        }
      }
      if position == end, isBase64 { try requireWholeBytes() }
    }

    /// Returns the next byte of the content, with its percent escape decoded.
    private mutating func nextByte(_ bytes: UnsafeBufferPointer<UInt8>) throws -> UInt8 {
      let byte = bytes[position]
      position += 1
      guard byte == UInt8(ascii: "%") else { return byte }
      guard position + 2 <= end, let high = bytes[position].hexDigit, let low = bytes[position + 1].hexDigit else {
        throw FutureImage.Failure(.malformed("the data URL has a broken percent escape"))
      }
      position += 2
      return high << 4 | low
    }

    /// Adds the bits of a base64 symbol to `bits`.
    /// - Returns: whether the symbol completes a byte, which `bits` then contains.
    private mutating func add(_ symbol: UInt8) throws -> Bool {
      guard let value = base64Value(symbol) else {
        if symbol == 32 || 9...13 ~= symbol { return false }
        guard symbol == UInt8(ascii: "=") else { throw FutureImage.Failure(.malformed("the data URL has a character that is not base64")) }
        paddingCount += 1
        return false
      }
      guard paddingCount == 0 else { throw Self.wrongLength }
      bits = bits << 6 | UInt32(value)
      symbolCount += 1
      return symbolCount % 4 != 1
    }

    private func requireWholeBytes() throws {
      // A single leftover symbol would have only six of the eight bits of a byte.
      let isPadded = paddingCount <= 2 && (symbolCount + paddingCount) % 4 == 0
      guard symbolCount % 4 != 1, paddingCount == 0 || isPadded else { throw Self.wrongLength }
    }

    private static var wrongLength: FutureImage.Failure {
      FutureImage.Failure(.malformed("the base64 of the data URL has a wrong length"))
    }
  }
}

extension String {
  /// Calls `body` with the UTF-8 bytes, without copying them if they are contiguous.
  fileprivate func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
    // The buffer is valid only inside `body`, which does not store it.
    if let result = try utf8.withContiguousStorageIfAvailable(body) { return result }
    return try Array(utf8).withUnsafeBufferPointer(body)
  }
}

private func base64Value(_ symbol: UInt8) -> UInt8? {
  switch symbol {
  case UInt8(ascii: "A")...UInt8(ascii: "Z"): symbol - UInt8(ascii: "A")
  case UInt8(ascii: "a")...UInt8(ascii: "z"): symbol - UInt8(ascii: "a") + 26
  case UInt8(ascii: "0")...UInt8(ascii: "9"): symbol - UInt8(ascii: "0") + 52
  case UInt8(ascii: "+"): 62
  case UInt8(ascii: "/"): 63
  default: nil
  }
}
