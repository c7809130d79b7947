extension FutureImage {
  /// The value that a feed has for an image: a text, or the number, Boolean, or null that some feeds have in its place.
  ///
  /// A recipe sees a number as its digits. A Boolean or null names no image. Each value encodes back as it was decoded.
  public struct FeedText: Hashable, Sendable {
    private enum Content: Hashable {
      case text(String)
      case integer(Int64)
      case number(Double)
      case flag(Bool)
      case null
    }

    private let content: Content

    /// Creates a text as a feed would contain it.
    public init(_ text: String) { content = .text(text) }

    /// Creates the text from which a recipe makes a future of the same image: its URL, or else its source's key; null without a source.
    init(of future: FutureImage) {
      content = future.root.descriptor.map { .text($0.source.feedText) } ?? .null
    }

    static let null = FeedText(.null)
    /// The Boolean that some feeds have in place of an empty list.
    static let no = FeedText(.flag(false))

    private init(_ content: Content) { self.content = content }

    /// The text that a recipe sees; nil for a Boolean or null.
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
  public init(stringLiteral value: String) { self.init(value) }
}

extension FutureImage.FeedText: Codable {
  /// - Throws: `DecodingError` for an array or an object: the model then declares another shape than the feed has.
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

extension FutureImage.FeedText: CustomStringConvertible, CustomReflectable {
  /// The value: a text in quotation marks, truncated if it is long, and without credentials.
  public var description: String { quoted }

  /// A mirror without children: the stored text may contain credentials.
  public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}

extension FutureImage.FeedText {
  private static let longestQuote = 120

  /// The value for a message: in quotation marks if it is a text, truncated if it is long, and without what looks like credentials.
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
  /// The URL as the app or the feed gave it, or else the key.
  fileprivate var feedText: String {
    switch origin {
    case .url(let url, _), .signed(let url, _), .file(let url): url.absoluteString
    case .data, .sized: key
    }
  }
}
