extension FutureImage {
  /// A wrapper for the futures of a decoded model: `@FutureImage.FromURL var photo: FutureImage`, or `FutureImage?` if the key may be
  /// absent, `[FutureImage]`, `[String: FutureImage]`.
  ///
  /// Nothing is fetched until the property is first read; from then on, all copies of the model have the same futures. In an array or a
  /// dictionary, each element starts its fetch when it is used itself: given to a view, awaited, prefetched, or asked for its `phase`.
  /// Counting, comparing, or filtering elements by `url` fetches nothing.
  ///
  /// The property can be read from a `let`, and encodes back to the text it was decoded from. Equality and hashing use the images' keys, so
  /// they do not change while an image loads, and two signed URLs with the same key are equal. The property may be copied and read on any
  /// thread.
  ///
  /// For previews, tests, and drafts, you can create a model by hand and set a `var`:
  ///
  ///     var item = Item(title: "Dunes", photo: FutureImage(.image(sample, key: "sample")))
  ///     item.photo = FutureImage(at: url)
  ///
  /// A future that was set is encoded as its URL or, if it has none, such as an image in memory, as the key of its source. A copy of the
  /// model that was made before keeps its own future.
  ///
  /// For a text that names no image, an optional is nil and a collection omits the element; any other future fails. A value of another
  /// shape is an empty collection, and nil for an optional. See ``Recipe/isStrict`` for a recipe that throws an error instead.
  /// - Throws: on decoding, a `DecodingError` for an array or an object in place of the text of a future that cannot be missing, and for
  ///   what a strict recipe refuses.
  @propertyWrapper public struct From<R: Recipe, Value: FutureContainer>: Sendable {
    let texts: Value.FeedTexts
    private let lazyValue: any LazyValue<Value>

    /// The futures. The first read of any copy makes them, and so starts the fetch of a future outside a collection; any thread.
    public var wrappedValue: Value {
      get { lazyValue.value() }
      set { self = Self(wrappedValue: newValue) }
    }

    /// Creates a property with futures that the app made; the recipe is not used.
    public init(wrappedValue: Value) {
      texts = Value._conversion.texts(wrappedValue)
      lazyValue = Value._conversion.wrapped(wrappedValue)
    }

    /// Makes the futures of texts as decoding would, without a decoder; a text that a strict recipe refuses fails.
    /// - Parameters:
    ///   - texts: the texts in the property's shape: one text, an optional, an array, or a dictionary of them.
    ///   - loader: the loader; if nil, the recipe's or the shared one.
    public init(_ texts: Value.FeedTexts, loader: Loader? = nil) {
      let feed = Feed(R.self, loader: loader)
      self.init(texts, feed) { fault, _ in R.report(fault, in: feed) }
    }

    fileprivate init(_ texts: Value.FeedTexts, _ feed: Feed) throws {
      var refusal: DecodingError.Context?
      self.init(texts, feed) { fault, position in
        guard R.isStrict else { return R.report(fault, in: feed) }
        let path = feed.codingPath + position.steps
        let context = DecodingError.Context(codingPath: path, debugDescription: "\(fault)", underlyingError: fault.underlying)
        refusal = refusal ?? context
      }
      if let refusal { throw DecodingError.dataCorrupted(refusal) }
    }

    /// - Parameter handle: called for each text that names no image.
    private init(_ texts: Value.FeedTexts, _ feed: Feed, handle: (Failure, Position) -> Void) {
      self.texts = texts
      lazyValue = Value._conversion.lazyValue(texts, Position()) { text, position in
        let (lazy, fault) = R.entry(for: text, at: position, in: feed)
        if let fault { handle(fault, position) }
        return lazy
      }
    }
  }

  /// ``From`` with no recipe.
  public typealias FromURL<Value: FutureContainer> = From<DefaultRecipe, Value>
}

extension FutureImage.From: Codable {
  /// Decodes a property by itself, outside an object: its recipe sees no fields.
  public init(from decoder: any Decoder) throws {
    try self.init(from: decoder, in: nil)
  }

  fileprivate init(from decoder: any Decoder, in container: (any SiblingContainer)?) throws {
    let (read, empty) = (Value._conversion.read(decoder), Value._conversion.empty())
    let feed = FutureImage.Feed(R.self, decoder: decoder, container: container)
    if let fault = read.faults.first, R.isStrict || empty == nil { throw fault.error }
    guard let texts = read.texts ?? empty else { throw ContainerFault(decoder, wanted: "a text").error }
    for fault in read.faults { R.report(fault.failure, in: feed) }
    try self.init(texts, feed)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(texts)
  }
}

extension FutureImage.From: CustomStringConvertible, CustomReflectable {
  /// The property's images, each as its future describes itself, or by name until the property is first read. Makes no future and fetches
  /// nothing; any thread.
  ///
  ///     print(item)
  ///     // Item(title: "Dunes", _photo: FutureImage(https://example.com/a.jpg, loading 45%))
  public var description: String { lazyValue.description }

  /// A mirror without children: the stored properties contain the feed's texts, which may have credentials.
  public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}

extension FutureImage.From: Hashable {
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.lazyValue.showsSame(as: rhs.lazyValue) }
  public func hash(into hasher: inout Hasher) { lazyValue.hash(into: &hasher) }
}

// The compiler's code for a model calls these methods, because they are more specific than the standard ones. They can access the object
// that contains the text; the wrapper's own `init(from:)` cannot.
extension KeyedDecodingContainer {
  /// Decodes the texts of the key. Their recipe sees the fields beside it.
  /// - Throws: `DecodingError`, also if there is no such key.
  public func decode<R, Value>(_ type: FutureImage.From<R, Value>.Type, forKey key: Key) throws -> FutureImage.From<R, Value> {
    guard contains(key) else {
      let text = "The feed has no “\(key.stringValue)”. Make the property optional if the picture may be missing."
      throw DecodingError.keyNotFound(key, DecodingError.Context(codingPath: codingPath, debugDescription: text))
    }
    return try FutureImage.From(from: superDecoder(forKey: key), in: self)
  }

  /// Decodes the texts of the key; nil if it is absent or null.
  public func decode<R, Wrapped>(
    _ type: FutureImage.From<R, Wrapped?>.Type, forKey key: Key
  ) throws -> FutureImage.From<R, Wrapped?> {
    guard try contains(key) && !decodeNil(forKey: key) else { return FutureImage.From(wrappedValue: nil) }
    return try FutureImage.From(from: superDecoder(forKey: key), in: self)
  }
}

extension KeyedEncodingContainer {
  /// Omits the key for nil.
  public mutating func encode<R, Wrapped>(_ value: FutureImage.From<R, Wrapped?>, forKey key: Key) throws {
    if let texts = value.texts { try encode(texts, forKey: key) }
  }
}
