extension FutureImage {
  /// A future in a model that is decoded: `@FutureImage.FromURL var photo: FutureImage`, or `FutureImage?` where the key may be absent,
  /// `[FutureImage]`, `[String: FutureImage]`.
  ///
  /// Nothing is fetched until the property is first read; after that all copies of the model have the same futures. Of an array or a
  /// dictionary each element starts its fetch when it is used itself: given to a view, awaited, prefetched, or asked for its `phase`. To
  /// count, compare or filter them by `url` fetches nothing.
  ///
  /// The property reads from a `let`, encodes back to the text it was decoded from, and is equal and hashed by that text, so that it stays
  /// the same while its picture loads. It may be copied and read on any thread.
  ///
  /// For previews, tests and drafts a model is made by hand, and a `var` can be set:
  ///
  ///     var item = Item(title: "Dunes", photo: FutureImage(.image(sample, key: "sample")))
  ///     item.photo = FutureImage(at: url)
  ///
  /// A future that was set is encoded as its URL; without one, as a picture at hand is, as the key of its source. A copy of the model that
  /// was made before keeps its own.
  ///
  /// A text that names no picture makes an optional nil and is left out of a collection; any other future of it fails. See ``Strictness``
  /// for a recipe that wants an error.
  /// - Throws: on decoding, a `DecodingError` where an array or an object stands in place of a text, and for what a strict recipe refuses.
  @propertyWrapper public struct From<R: Recipe, Value: Shape>: Sendable {
    let texts: Value.Texts
    private let lazies: Value.Lazies

    /// The futures. The first read of any copy makes them, and so starts the fetch of one that is in no collection; any thread.
    public var wrappedValue: Value {
      get { Value.touch(lazies) }
      set { self = Self(wrappedValue: newValue) }
    }

    /// Futures that the app made: the recipe has no part in them.
    public init(wrappedValue: Value) {
      texts = Value.texts(of: wrappedValue)
      lazies = Value.lazies(of: wrappedValue)
    }

    /// Makes the futures of texts as decoding them would, without a decoder; what a strict recipe refuses fails.
    /// - Parameters:
    ///   - texts: in the property's shape: one text, an optional, an array or a dictionary of them.
    ///   - loader: the recipe's, or the shared one, if nil.
    public init(_ texts: Value.Texts, loader: Loader? = nil) {
      let feed = Feed(R.self, loader: loader)
      self.texts = texts
      lazies = Value.lazies(for: texts, at: Position()) { text, position in
        let (lazy, fault) = R.entry(for: text, at: position, in: feed)
        if let fault { R.report(fault, in: feed) }
        return lazy
      }
    }

    fileprivate init(_ texts: Value.Texts, _ feed: Feed) throws {
      self.texts = texts
      lazies = try Value.lazies(for: texts, at: Position()) { text, position in
        let (lazy, fault) = R.entry(for: text, at: position, in: feed)
        guard let fault else { return lazy }
        guard R.strictness == .lenient else {
          let context = DecodingError.Context(
            codingPath: feed.codingPath + position.steps, debugDescription: "\(fault)", underlyingError: fault.underlying)
          throw DecodingError.dataCorrupted(context)
        }
        R.report(fault, in: feed)
        return lazy
      }
    }
  }

  /// ``From`` with no recipe.
  public typealias FromURL<Value: Shape> = From<Plain, Value>
}

extension FutureImage.From: Codable {
  /// By itself, outside of an object: its recipe sees no siblings.
  public init(from decoder: any Decoder) throws {
    try self.init(from: decoder, beside: nil)
  }

  fileprivate init(from decoder: any Decoder, beside container: (any SiblingContainer)?) throws {
    try self.init(decoder.singleValueContainer().decode(Value.Texts.self), FutureImage.Feed(R.self, decoder, container))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(texts)
  }
}

extension FutureImage.From: CustomStringConvertible, CustomReflectable {
  /// The property's pictures, each as its future describes itself, or by name while nobody has read the property. Makes no future and
  /// fetches nothing; any thread.
  ///
  ///     print(item)
  ///     // Item(title: "Dunes", _photo: FutureImage(https://example.com/a.jpg, loading 45%))
  public var description: String { Self.text(of: lazies) }

  private static func text(of lazies: Any) -> String {
    let mirror = Mirror(reflecting: lazies)
    guard mirror.displayStyle == .optional else { return "\(lazies)" }
    return mirror.children.first.map { text(of: $0.value) } ?? "nil"
  }

  /// A mirror without children: the stored properties contain the feed's texts, which may have credentials.
  public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}

extension FutureImage.From: Hashable {
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.texts == rhs.texts }
  public func hash(into hasher: inout Hasher) { hasher.combine(texts) }
}

// What the compiler writes for a model calls these, for they say more of the type than the standard ones. They have the object at hand
// that the text stands in, which the wrapper's own `init(from:)` has not.
extension KeyedDecodingContainer {
  /// The texts of the key, whose recipe sees the fields beside it.
  /// - Throws: `DecodingError`, also if there is no such key.
  public func decode<R, Value>(_ type: FutureImage.From<R, Value>.Type, forKey key: Key) throws -> FutureImage.From<R, Value> {
    guard contains(key) else {
      let text = "The feed has no “\(key.stringValue)”. Make the property optional if the picture may be missing."
      throw DecodingError.keyNotFound(key, DecodingError.Context(codingPath: codingPath, debugDescription: text))
    }
    return try FutureImage.From(from: superDecoder(forKey: key), beside: self)
  }

  /// An absent key, or null, is nil.
  public func decode<R, Wrapped>(
    _ type: FutureImage.From<R, Wrapped?>.Type, forKey key: Key
  ) throws -> FutureImage.From<R, Wrapped?> {
    guard try contains(key) && !decodeNil(forKey: key) else { return FutureImage.From(wrappedValue: nil) }
    return try FutureImage.From(from: superDecoder(forKey: key), beside: self)
  }
}

extension KeyedEncodingContainer {
  /// Leaves the key out for nil.
  public mutating func encode<R, Wrapped>(_ value: FutureImage.From<R, Wrapped?>, forKey key: Key) throws {
    if let texts = value.texts { try encode(texts, forKey: key) }
  }
}
