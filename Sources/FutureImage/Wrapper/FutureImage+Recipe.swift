extension FutureImage {
  /// The rules for making the futures of wrapped properties. Every rule has a default.
  ///
  ///     enum ProductPhoto: FutureImage.Recipe {
  ///       static func placeholder(in fields: FutureImage.SiblingFields) -> FutureImage.Placeholder? { "product" }
  ///       static var baseURL: URL? { URL(string: "https://shop.example/photos/") }
  ///     }
  ///     typealias ProductImage<Value: FutureImage.FutureContainer> = FutureImage.From<ProductPhoto, Value>
  ///
  ///     struct Product: Decodable {
  ///       @ProductImage var photo: FutureImage?
  ///     }
  public protocol Recipe: Sendable {
    /// The caching beyond the model's lifetime; ``CachePolicy/automatic`` if nil.
    static var cachePolicy: CachePolicy? { get }
    /// The transform of the pixels; none if nil.
    static var transform: Transform? { get }
    /// The priority of loading among equally urgent images; ``Priority/normal`` by default.
    static var priority: Priority { get }
    /// The loader of the futures, used if the decoder's `userInfo` has no loader under ``FutureImage/FutureImage/loaderKey``; if nil, the
    /// shared loader.
    static var loader: Loader? { get }
    /// The base of relative URLs, used if the decoder's `userInfo` has no base under ``FutureImage/FutureImage/baseURLKey``.
    static var baseURL: URL? { get }
    /// Whether decoding throws a `DecodingError` for a text that names no fetchable image, such as a relative URL without a base. The error
    /// contains the path of the element and the text.
    ///
    /// The default is false: decoding continues. An optional property is then nil, a collection omits the element, and any other future
    /// fails permanently, with a ``Failure`` that quotes the text. The loader reports ``Loader/Event/unusable(_:)``, and the log has
    /// the first such text of each recipe.
    static var isStrict: Bool { get }

    /// Returns the size of the image in points if it is known before the image arrives, to reserve space in the layout. Called while the
    /// model is decoded.
    static func size(in fields: SiblingFields) -> CGSize?

    /// Returns the placeholder to show until the image arrives. A string literal is the name of an asset of the app. To make a placeholder
    /// from a hash, a color, or a few bytes, read the other fields. Called while the model is decoded. The placeholder's image is made when
    /// the future is made, in the size that ``size(in:)`` returns. The default returns nil.
    ///
    ///     static func placeholder(in fields: FutureImage.SiblingFields) -> FutureImage.Placeholder? {
    ///       fields.value("blurHash", as: String.self).map { .blurHash($0) }
    ///     }
    /// - Returns: nil for no placeholder.
    static func placeholder(in fields: SiblingFields) -> Placeholder?

    /// Returns a description of the image for people who cannot see it. It becomes the future's
    /// ``FutureImage/FutureImage/alternativeText``. Called while the model is decoded. The default returns nil.
    ///
    ///     static func alternativeText(in fields: FutureImage.SiblingFields) -> String? { fields.value("caption", as: String.self) }
    static func alternativeText(in fields: SiblingFields) -> String?

    /// Returns whether there is an image. If there is none, an optional property is nil and a collection omits the element, without a
    /// report. Called while the model is decoded, before ``source(for:in:)``. By default, there is no image if the text is empty or only
    /// white space.
    ///
    ///     static func hasImage(for text: String, in fields: FutureImage.SiblingFields) -> Bool {
    ///       !text.isEmpty && !text.hasSuffix("/no-photo.png")
    ///     }
    static func hasImage(for text: String, in fields: SiblingFields) -> Bool

    /// Returns a source for the text in the JSON. Called while the model is decoded; nothing is fetched. The default accepts `http`,
    /// `https`, and `data` URLs, and relative URLs if there is a base URL.
    ///
    ///     static func source(for text: String, in fields: FutureImage.SiblingFields) throws -> FutureImage.Source {
    ///       // The model's own id is the key, because the URL is signed anew in every feed.
    ///       .url(try fields.url(for: text), key: fields.value("id", as: Int.self).map { "product-\($0)" })
    ///     }
    /// - Throws: any error, which becomes the cause of a ``Failure`` or a `DecodingError`; see ``isStrict``.
    static func source(for text: String, in fields: SiblingFields) throws -> Source

    /// Returns a new URL to replace an expired one, such as a signed URL. The default returns nil.
    ///
    ///     static func renew(_ url: URL, key: String) async throws -> URL? {
    ///       try await shop.signedURL(ofProduct: key)
    ///     }
    ///
    /// Called when the server responds with 401, 403, or 410, the statuses that servers use for expired URLs. It is called once for all
    /// live futures of the key. The loader requests the new URL at once. It then uses the new URL in place of the old URL for all of the
    /// loader's futures of the key. The key remains the same, so give the source a key that does not change with the signature.
    ///
    /// Runs in a task of its own. If the call takes longer than the loader's `timeout`, the attempt fails.
    /// - Parameters:
    ///   - url: the URL that the server refused.
    ///   - key: the source's key.
    /// - Returns: an `http` or `https` URL. If there is no other URL, return nil or the old URL. The failure is then the server's status.
    /// - Throws: any error, which fails the attempt. Another attempt may follow, except after a ``Failure`` that is not transient.
    static func renew(_ url: URL, key: String) async throws -> URL?
  }

  /// The key of a ``Loader`` in a decoder's `userInfo`. The decoded futures use that loader in place of the recipe's loader and the shared
  /// loader.
  public static let loaderKey = CodingUserInfoKey.futureImageLoader

  /// The key of a base `URL` in a decoder's `userInfo`. Relative URLs in decoded content are resolved against this base, even if the recipe
  /// has another base. The URL of the feed is a good choice.
  public static let baseURLKey = CodingUserInfoKey.futureImageBaseURL
}

extension FutureImage.Recipe {
  public static var cachePolicy: FutureImage.CachePolicy? { nil }
  public static var transform: FutureImage.Transform? { nil }
  public static var priority: FutureImage.Priority { .normal }
  public static var loader: FutureImage.Loader? { nil }
  public static var baseURL: URL? { nil }
  public static var isStrict: Bool { false }
  public static func size(in fields: FutureImage.SiblingFields) -> CGSize? { nil }

  public static func placeholder(in fields: FutureImage.SiblingFields) -> FutureImage.Placeholder? { nil }

  public static func alternativeText(in fields: FutureImage.SiblingFields) -> String? { nil }

  public static func hasImage(for text: String, in fields: FutureImage.SiblingFields) -> Bool {
    !text.allSatisfy(\.isWhitespace)
  }

  public static func source(for text: String, in fields: FutureImage.SiblingFields) throws -> FutureImage.Source {
    .url(try fields.url(for: text))
  }

  public static func renew(_ url: URL, key: String) async throws -> URL? { nil }
}

extension CodingUserInfoKey {
  static let futureImageLoader = CodingUserInfoKey(rawValue: "FutureImage.Loader") ?? CodingUserInfoKey.impossible
  static let futureImageBaseURL = CodingUserInfoKey(rawValue: "FutureImage.baseURL") ?? CodingUserInfoKey.impossible
  // A user info key can be made from any string; the initializer is failable for historical reasons.
  private static var impossible: CodingUserInfoKey { preconditionFailure("a CodingUserInfoKey could not be made") }
}

extension FutureImage {
  /// A recipe that makes a future of the URL, with the default of every rule.
  public enum DefaultRecipe: Recipe {}
}
