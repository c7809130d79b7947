extension FutureImage {
  /// A wrapper for the futures of a decoded model, such as `@FutureImage.FromURL var photo: FutureImage`. The type is `FutureImage?` if the
  /// key may be absent. Collections have the types `[FutureImage]` and `[String: FutureImage]`.
  ///
  /// Nothing is fetched until the property is first read. From then on, all copies of the model share the same futures. In an array or a
  /// dictionary, each element starts its own fetch at its first use: when it is assigned to a view, awaited, or prefetched, or when its
  /// `phase` is read. Counting elements, comparing them, or filtering them by `url` fetches nothing.
  ///
  /// The property can be read even if the model is a `let`. It is encoded as the text from which it was decoded. Equality and hashing use
  /// the keys of the images. So they do not change while an image loads, and two signed URLs with the same key are equal. The property may
  /// be copied and read on any thread.
  ///
  /// For previews, tests, and drafts, you can create a model by hand and set a `var`:
  ///
  ///     var item = Item(title: "Dunes", photo: FutureImage(.image(sample, key: "sample")))
  ///     item.photo = FutureImage(at: url)
  ///
  /// A future that you set is encoded as its URL. If its source has no URL, such as an image in memory, the future is encoded as the key of
  /// the source. Copies of the model that were made earlier still have the former future.
  ///
  /// If a text names no image, an optional is nil, a collection omits the element, and any other future fails. If the feed has a value of
  /// another shape, a collection is empty and an optional is nil. See ``Recipe/isStrict`` for a recipe that throws an error instead.
  /// - Throws: on decoding, a `DecodingError` if the feed has an array or an object in place of the text of a future that cannot be
  ///   missing, or if a strict recipe refuses a value.
  @propertyWrapper public struct From<R: Recipe, Value: FutureContainer>: Sendable {
    let texts: Value.FeedTexts
    private let lazyValue: any LazyValue<Value>

    /// The futures. The first read in any copy of the model makes them, and starts the fetch of a future that is not in a collection. The
    /// property may be read on any thread.
    public var wrappedValue: Value {
      get { lazyValue.value() }
      set { self = Self(wrappedValue: newValue) }
    }

    /// Creates a property with futures that the app made. The recipe is not used.
    public init(wrappedValue: Value) {
      texts = Value._conversion.texts(wrappedValue)
      lazyValue = Value._conversion.wrapped(wrappedValue)
    }

    /// Creates a property from texts as decoding does, but without a decoder. This throws no error, even if the recipe is strict. A text
    /// that names no image has the same effect as with a recipe that is not strict.
    /// - Parameters:
    ///   - texts: the texts in the property's shape: one text, an optional, an array, or a dictionary of them.
    ///   - loader: the loader; if nil, the recipe's loader or, if the recipe has none, the shared loader.
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

  /// ``From`` with the default recipe.
  public typealias FromURL<Value: FutureContainer> = From<DefaultRecipe, Value>
}

extension FutureImage.From: Codable {
  /// Decodes a property by itself, outside an object, so its recipe has no fields.
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

extension FutureImage.From: CustomStringConvertible, _Opaque {
  /// The descriptions of the property's futures, or the names of its images until the property is first read. Reading the description makes
  /// no future and fetches nothing. Any thread may read it.
  ///
  ///     print(item)
  ///     // Item(title: "Dunes", _photo: FutureImage(https://example.com/a.jpg, loading 45%))
  public var description: String { lazyValue.description }
}

extension FutureImage.From: Hashable {
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.lazyValue.showsSame(as: rhs.lazyValue) }
  public func hash(into hasher: inout Hasher) { lazyValue.hash(into: &hasher) }
}

// The code that the compiler generates for a model calls these methods, because they are more specific than the standard methods. Unlike
// the wrapper's own `init(from:)`, they can access the object that contains the text.
extension KeyedDecodingContainer {
  /// Decodes the texts of the key. Their recipe can read the other fields of the object.
  /// - Throws: `DecodingError`, also if there is no such key.
  public func decode<R, Value>(_ type: FutureImage.From<R, Value>.Type, forKey key: Key) throws -> FutureImage.From<R, Value> {
    guard contains(key) else {
      let text = "The feed has no “\(key.stringValue)”. Make the property optional if the image may be missing."
      throw DecodingError.keyNotFound(key, DecodingError.Context(codingPath: codingPath, debugDescription: text))
    }
    return try FutureImage.From(from: superDecoder(forKey: key), in: self)
  }

  /// Decodes the texts of the key. The property is nil if the key is absent or its value is null.
  public func decode<R, Wrapped>(
    _ type: FutureImage.From<R, Wrapped?>.Type, forKey key: Key
  ) throws -> FutureImage.From<R, Wrapped?> {
    guard try contains(key) && !decodeNil(forKey: key) else { return FutureImage.From(wrappedValue: nil) }
    return try FutureImage.From(from: superDecoder(forKey: key), in: self)
  }
}

extension KeyedEncodingContainer {
  /// Omits the key if the value is nil.
  public mutating func encode<R, Wrapped>(_ value: FutureImage.From<R, Wrapped?>, forKey key: Key) throws {
    if let texts = value.texts { try encode(texts, forKey: key) }
  }
}
