extension FutureImage {
  /// A future in a model that is decoded: `@FutureImage.FromURL var photo: FutureImage`, or `FutureImage?` where the key may be absent,
  /// `[FutureImage]`, `[String: FutureImage]`.
  ///
  /// Nothing is fetched until the property is first read; after that all copies of the model have the same futures. It reads from a
  /// `let`, encodes back to the text it was decoded from, and is equal and hashed by that text, so that it stays the same while its
  /// picture loads. It may be copied and read on any thread.
  /// - Throws: on decoding, a `DecodingError` that names the key path if a text is no `http`, `https` or `data` URL, nor anything that the
  ///   recipe makes a source of.
  @propertyWrapper public struct From<R: Recipe, Value: Shape>: Sendable {
    let texts: Value.Texts
    private let lazies: Value.Lazies

    /// The futures. The first read of any copy makes them, and so starts the fetch; any thread.
    public var wrappedValue: Value { Value.touch(lazies) }

    /// Without a decoder: for a model that is made by hand. `texts` has the property's shape: one text, an optional, an array or a
    /// dictionary of them.
    /// - Throws: `DecodingError` as on decoding.
    public init(_ texts: Value.Texts, loader: Loader = .shared) throws {
      try self.init(texts, Decoding(loader: loader))
    }

    fileprivate init(_ texts: Value.Texts, _ decoding: Decoding) throws {
      self.texts = texts
      let size = R.size(beside: decoding.siblings)
      let renewal: Source.Renewal? = R.self == Plain.self ? nil : { @Sendable url, key in try await R.renew(url, key: key) }
      lazies = try Value.lazies(for: texts) { text in
        let found = try decoding.told { try R.source(for: text, beside: decoding.siblings).requireFetchable() }
        let source = renewal.map { found.renewing(by: $0) } ?? found
        return Lazy { [loader = decoding.loader] in
          FutureImage(
            source, placeholder: R.placeholder.flatMap { UIImage(named: $0) }, cachePolicy: R.cachePolicy, size: size,
            transform: R.transform, priority: R.priority, loader: loader)
        }
      }
    }
  }

  /// ``From`` with no recipe.
  public typealias FromURL<Value: Shape> = From<Plain, Value>

  /// What stands around the texts that are decoded.
  fileprivate struct Decoding {
    let loader: Loader
    let codingPath: [any CodingKey]
    let siblings: Siblings

    init(loader: Loader) {
      self.loader = loader
      codingPath = []
      siblings = Siblings()
    }

    init(_ decoder: any Decoder, _ siblings: Siblings) {
      loader = decoder.userInfo[FutureImage.loaderKey] as? Loader ?? .shared
      codingPath = decoder.codingPath
      self.siblings = siblings
    }

    func told<Result>(_ body: () throws -> Result) throws -> Result {
      do {
        return try body()
      } catch {
        let context = DecodingError.Context(codingPath: codingPath, debugDescription: "\(error)", underlyingError: error)
        throw DecodingError.dataCorrupted(context)
      }
    }
  }
}

extension FutureImage.Source {
  /// A URL that came in as data must be one that can be fetched. Files and closures are the recipe's own doing.
  fileprivate func requireFetchable() throws(FutureImage.Failure) -> Self {
    guard case .url(let url, _) = origin else { return self }
    let canonical = CanonicalURL(url)
    guard canonical.scheme == "data" || ["http", "https"].contains(canonical.scheme) && !canonical.host.isEmpty else {
      throw FutureImage.Failure(.refused("“\(canonical.text.prefix(200))” is not an http, https or data URL"))
    }
    return self
  }
}

extension FutureImage.From: Codable {
  /// By itself, outside of an object: its recipe sees no siblings.
  public init(from decoder: any Decoder) throws {
    try self.init(from: decoder, beside: FutureImage.Siblings())
  }

  fileprivate init(from decoder: any Decoder, beside siblings: FutureImage.Siblings) throws {
    try self.init(decoder.singleValueContainer().decode(Value.Texts.self), FutureImage.Decoding(decoder, siblings))
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

// What the compiler writes for a model calls these, for they say more of the type than the standard ones. They have the object at hand
// that the text stands in, which the wrapper's own `init(from:)` has not.
extension KeyedDecodingContainer {
  /// The texts of the key, whose recipe sees the fields beside it.
  /// - Throws: `DecodingError`, also if there is no such key.
  public func decode<R, Value>(_ type: FutureImage.From<R, Value>.Type, forKey key: Key) throws -> FutureImage.From<R, Value> {
    guard contains(key) else {
      let context = DecodingError.Context(codingPath: codingPath, debugDescription: "There is no “\(key.stringValue)”.")
      throw DecodingError.keyNotFound(key, context)
    }
    return try FutureImage.From(from: superDecoder(forKey: key), beside: FutureImage.Siblings(self))
  }

  /// An absent key, or null, is nil.
  public func decode<R, Wrapped>(
    _ type: FutureImage.From<R, Wrapped?>.Type, forKey key: Key
  ) throws -> FutureImage.From<R, Wrapped?> {
    guard try contains(key) && !decodeNil(forKey: key) else { return FutureImage.From(absent: ()) }
    return try FutureImage.From(from: superDecoder(forKey: key), beside: FutureImage.Siblings(self))
  }
}

extension KeyedEncodingContainer {
  /// Leaves the key out for nil.
  public mutating func encode<R, Wrapped>(_ value: FutureImage.From<R, Wrapped?>, forKey key: Key) throws {
    if let texts = value.texts { try encode(texts, forKey: key) }
  }
}
