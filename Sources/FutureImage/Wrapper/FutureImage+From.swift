extension FutureImage {
  /// A future in a model that is decoded: `@FutureImage.FromURL var photo: FutureImage`, or `FutureImage?` where the key may be absent.
  ///
  /// Nothing is fetched until the property is first read; after that all copies of the model have the same future. It reads from a `let`,
  /// encodes back to the URL's text, and is equal and hashed by that text, so that it stays the same while its picture loads.
  /// - Throws: on decoding, a `DecodingError` that names the key path if the text is no `http`, `https` or `data` URL.
  @propertyWrapper public struct From<R: Recipe, Value: Shape>: Sendable {
    let texts: Value.Texts
    private let lazies: Value.Lazies

    public var wrappedValue: Value { Value.touch(lazies) }

    fileprivate init(_ texts: Value.Texts, loader: Loader, codingPath: [any CodingKey]) throws {
      self.texts = texts
      lazies = try Value.lazies(for: texts) { text in
        guard let url = Self.url(text) else {
          throw DecodingError.dataCorrupted(
            DecodingError.Context(codingPath: codingPath, debugDescription: "“\(text.prefix(200))” is not an http, https or data URL"))
        }
        return Lazy {
          FutureImage(
            at: url, placeholder: R.placeholder, cachePolicy: R.cachePolicy, size: R.size, priority: R.priority, loader: loader)
        }
      }
    }

    private static func url(_ text: String) -> URL? {
      guard let url = URL(string: text) else { return nil }
      let canonical = CanonicalURL(url)
      return canonical.scheme == "data" || ["http", "https"].contains(canonical.scheme) && !canonical.host.isEmpty ? url : nil
    }
  }

  /// ``From`` with no recipe.
  public typealias FromURL<Value: Shape> = From<Plain, Value>
}

extension FutureImage.From: Codable {
  public init(from decoder: any Decoder) throws {
    try self.init(
      decoder.singleValueContainer().decode(Value.Texts.self),
      loader: decoder.userInfo[FutureImage.loaderKey] as? FutureImage.Loader ?? .shared, codingPath: decoder.codingPath)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(texts)
  }
}

extension FutureImage.From: Hashable {
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.texts == rhs.texts }
  public func hash(into hasher: inout Hasher) { hasher.combine(texts) }
}

extension FutureImage.From {
  /// No picture: what an absent key decodes to.
  fileprivate init<Wrapped>(absent: Void) where Value == Wrapped?, Wrapped: FutureImage.Shape {
    texts = nil
    lazies = nil
  }
}

extension KeyedDecodingContainer {
  /// Makes an absent key nil, which the synthesized decoding of a wrapped optional does not do by itself.
  public func decode<R, Wrapped>(
    _ type: FutureImage.From<R, Wrapped?>.Type, forKey key: Key
  ) throws -> FutureImage.From<R, Wrapped?> {
    try decodeIfPresent(type, forKey: key) ?? FutureImage.From(absent: ())
  }
}

extension KeyedEncodingContainer {
  /// Leaves the key out for nil.
  public mutating func encode<R, Wrapped>(_ value: FutureImage.From<R, Wrapped?>, forKey key: Key) throws {
    if let texts = value.texts { try encode(texts, forKey: key) }
  }
}
