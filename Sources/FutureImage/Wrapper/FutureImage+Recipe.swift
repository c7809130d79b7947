extension FutureImage {
  /// How the futures of wrapped properties are made. Everything has a default.
  ///
  ///     enum ProductPhoto: FutureImage.Recipe {
  ///       static var placeholder: String? { "product" }
  ///     }
  ///     typealias ProductImage<Value: FutureImage.Shape> = FutureImage.From<ProductPhoto, Value>
  ///
  ///     struct Product: Decodable {
  ///       @ProductImage var photo: FutureImage?
  ///     }
  public protocol Recipe: Sendable {
    /// The name of a picture among the app's assets.
    static var placeholder: String? { get }
    /// What lasts beyond the model; ``CachePolicy/automatic`` if nil.
    static var cachePolicy: CachePolicy? { get }
    /// What is done to the pixels; nothing if nil.
    static var transform: Transform? { get }
    /// Which of two that are wanted alike is loaded first; ``Priority/normal`` by default.
    static var priority: Priority { get }

    /// The picture's size in points, if it is known before the picture is: it reserves layout. Asked while the model is decoded.
    static func size(beside siblings: Siblings) -> CGSize?

    /// What the text in the JSON stands for. Asked while the model is decoded; nothing is fetched. The default takes absolute `http`,
    /// `https` and `data` URLs.
    ///
    ///     static func source(for text: String, beside siblings: FutureImage.Siblings) throws -> FutureImage.Source {
    ///       // A URL against a base, and the model's own id for a key, since the URL is signed anew in every feed.
    ///       guard let url = URL(string: text, relativeTo: shop) else { throw FutureImage.Failure(.refused("it is no URL")) }
    ///       return .url(url, key: siblings.value("id", as: Int.self).map { "product-\($0)" })
    ///     }
    /// - Throws: anything; it becomes the cause of a `DecodingError` that names the key path.
    static func source(for text: String, beside siblings: Siblings) throws -> Source

    /// A new URL in place of one that has expired, as signed URLs do. The default has none.
    ///
    ///     static func renew(_ url: URL, key: String) async throws -> URL? {
    ///       try await shop.signedURL(ofProduct: key)
    ///     }
    ///
    /// Called when the server answers 401, 403 or 410 (what servers say of expired URLs), once for all futures of the key that live. The
    /// new URL is requested at once, and used in place of the old one by all futures of the key in the loader. The key stays what it was:
    /// give the source one that does not change with the signature.
    ///
    /// It runs in a task of its own. One that takes longer than the loader's `timeout` fails the attempt.
    /// - Parameters:
    ///   - url: the URL that the server refused.
    ///   - key: the source's key.
    /// - Returns: an `http` or `https` URL; nil, or the old one, if there is no other: then the server's status is the failure.
    /// - Throws: anything; it fails the attempt, and another one may follow, unless it is a ``Failure`` that is not transient.
    static func renew(_ url: URL, key: String) async throws -> URL?
  }

  /// A future of the URL, and nothing more.
  public enum Plain: Recipe {}

  /// The other fields of the object that a picture's text stands in, by their names in the JSON.
  ///
  /// A field can be read if the model declares it too: a keyed container gives away no key that its `CodingKeys` lacks. There are none
  /// where the picture is decoded by itself, outside of an object.
  public struct Siblings {
    private let container: (any SiblingContainer)?

    init(_ container: (any SiblingContainer)? = nil) {
      self.container = container
    }

    /// The field's value; nil if it is absent, of another type, or not declared.
    public func value<Value: Decodable>(_ name: String, as type: Value.Type) -> Value? {
      container?.sibling(name, as: type)
    }

    /// The size that two number fields tell, both positive.
    public func size(width: String = "width", height: String = "height") -> CGSize? {
      guard let width = value(width, as: Double.self), let height = value(height, as: Double.self) else { return nil }
      return width > 0 && height > 0 ? CGSize(width: width, height: height) : nil
    }
  }

  /// Put a ``Loader`` under this key into a decoder's `userInfo`, and the futures of what it decodes use that instead of the shared one.
  public static let loaderKey = CodingUserInfoKey.futureImageLoader
}

extension FutureImage.Recipe {
  public static var placeholder: String? { nil }
  public static var cachePolicy: FutureImage.CachePolicy? { nil }
  public static var transform: FutureImage.Transform? { nil }
  public static var priority: FutureImage.Priority { .normal }
  public static func size(beside siblings: FutureImage.Siblings) -> CGSize? { nil }

  public static func source(for text: String, beside siblings: FutureImage.Siblings) throws -> FutureImage.Source {
    guard let url = URL(string: text) else { throw FutureImage.Failure(.refused("“\(text.prefix(200))” is no URL")) }
    return .url(url)
  }

  public static func renew(_ url: URL, key: String) async throws -> URL? { nil }
}

/// A keyed container, whatever its keys are.
protocol SiblingContainer {
  func sibling<Value: Decodable>(_ name: String, as type: Value.Type) -> Value?
}

extension KeyedDecodingContainer: SiblingContainer {
  func sibling<Value: Decodable>(_ name: String, as type: Value.Type) -> Value? {
    // What cannot be read is not known: the model's own decoding tells of it.
    Key(stringValue: name).flatMap { try? decodeIfPresent(type, forKey: $0) }
  }
}

extension CodingUserInfoKey {
  static let futureImageLoader = CodingUserInfoKey(rawValue: "FutureImage.Loader") ?? CodingUserInfoKey.impossible
  // A user info key can be made of any string; the initializer is failable for history's sake.
  private static var impossible: CodingUserInfoKey { preconditionFailure("a CodingUserInfoKey can be made of any string") }
}
