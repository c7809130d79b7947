extension FutureImage {
  /// The value that a feed has for an image: a text, or a number, a Boolean, or null, which some feeds have in place of a text.
  ///
  /// A recipe receives the digits of a number as a text. A Boolean or null names no image. Each value is encoded as it was decoded.
  public struct FeedText: Hashable, Sendable {
    private enum Content: Hashable {
      case text(String)
      case integer(Int64)
      case number(Double)
      case flag(Bool)
      case null
    }

    private let content: Content

    init(_ text: String) { content = .text(text) }

    /// Creates the text from which a recipe makes a future of the same image: the URL of its source or, if the source has no URL, the
    /// source's key. If the future has no source, the value is null.
    init(of future: FutureImage) {
      content = future.root.descriptor.map { .text($0.source.feedText) } ?? .null
    }

    static let null = FeedText(.null)
    /// The Boolean that some feeds have in place of an empty list.
    static let no = FeedText(.flag(false))

    private init(_ content: Content) { self.content = content }

    /// The text that a recipe receives; nil for a Boolean or null.
    var string: String? {
      switch content {
      case .text(let text): text
      case .integer(let number): "\(number)"
      case .number(let number): "\(number)"
      case .flag, .null: nil
      }
    }
  }
}

extension FutureImage.FeedText: ExpressibleByStringInterpolation {
  /// Creates a value from a text, as if a feed contained that text.
  public init(stringLiteral value: String) { self.init(value) }
}

extension FutureImage.FeedText: Codable {
  /// - Throws: `DecodingError` for an array or an object, because the model then declares another shape than the feed has.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      content = .text(text)
    } else if container.decodeNil() {
      content = .null
    } else if let flag = try? container.decode(Bool.self) {
      content = .flag(flag)
    } else if let number = try? container.decode(Int64.self) {
      content = .integer(number)
    } else if let number = try? container.decode(Double.self) {
      content = .number(number)
    } else {
      let found = "The feed has a list or an object in place of a text."
      throw DecodingError.typeMismatch(
        String.self, DecodingError.Context(codingPath: decoder.codingPath, debugDescription: found))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch content {
    case .text(let text): try container.encode(text)
    case .integer(let number): try container.encode(number)
    case .number(let number): try container.encode(number)
    case .flag(let flag): try container.encode(flag)
    case .null: try container.encodeNil()
    }
  }
}

extension FutureImage.FeedText: CustomStringConvertible, _Opaque {
  /// The value. A text is in quotation marks, is truncated if it is long, and has no parts that look like credentials.
  public var description: String { quoted }
}

extension FutureImage.FeedText {
  private static let longestQuote = 120

  /// The value for a message. A text is in quotation marks, is truncated if it is long, and has no parts that look like credentials.
  var quoted: String {
    switch content {
    case .text(let text): "“\(Self.withoutCredentials(text.prefix(4 * Self.longestQuote)))”"
    case .integer(let number): "\(number)"
    case .number(let number): "\(number)"
    case .flag(let flag): "\(flag)"
    case .null: "null"
    }
  }

  private static func withoutCredentials(_ text: Substring) -> String {
    var text = String(text.map { $0.isNewline ? " " : $0 })
    // The user and the password precede the last "@" before the path.
    let start = text.firstRange(of: "//")?.upperBound ?? text.startIndex
    let end = text[start...].firstIndex { "/?#".contains($0) } ?? text.endIndex
    if let at = text[start..<end].lastIndex(of: "@") { text.replaceSubrange(start..<at, with: "…") }
    var canonical = CanonicalURL("")
    canonical.text = text
    let shown = canonical.redacted
    return shown.count > longestQuote ? shown.prefix(longestQuote) + "…" : shown
  }
}

extension FutureImage.Source {
  /// The URL as the app or the feed wrote it or, if there is no URL, the key.
  fileprivate var feedText: String {
    switch origin {
    case .url(let url, _), .signed(let url, _), .file(let url): url.absoluteString
    case .data, .sized: key
    }
  }
}
