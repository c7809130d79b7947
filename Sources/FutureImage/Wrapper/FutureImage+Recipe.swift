extension FutureImage {
  /// The rules for making the futures of wrapped properties. Every rule has a default.
  ///
  ///     enum ProductPhoto: FutureImage.Recipe {
  ///       static var placeholder: String? { "product" }
  ///       static var baseURL: URL? { URL(string: "https://shop.example/photos/") }
  ///     }
  ///     typealias ProductImage<Value: FutureImage.FutureContainer> = FutureImage.From<ProductPhoto, Value>
  ///
  ///     struct Product: Decodable {
  ///       @ProductImage var photo: FutureImage?
  ///     }
  public protocol Recipe: Sendable {
    /// The name of an image among the app's assets. If it depends on the model, see ``placeholder(in:)``.
    static var placeholder: String? { get }
    /// The caching beyond the model's lifetime; ``CachePolicy/automatic`` if nil.
    static var cachePolicy: CachePolicy? { get }
    /// The transform of the pixels; none if nil.
    static var transform: Transform? { get }
    /// The order of loading among images that are equally urgent; ``Priority/normal`` by default.
    static var priority: Priority { get }
    /// The loader of the futures, if the decoder's `userInfo` has none under ``FutureImage/FutureImage/loaderKey``; the shared one if nil.
    static var loader: Loader? { get }
    /// The base of relative URLs, if the decoder's `userInfo` has none under ``FutureImage/FutureImage/baseURLKey``.
    static var baseURL: URL? { get }
    /// Whether decoding throws a `DecodingError`, with the element's path and the text, for a text that names no fetchable image, such as a
    /// relative URL without a base.
    ///
    /// False by default: decoding continues. An optional property is nil, a collection omits the element, and any other future fails
    /// permanently, with a ``Failure`` that quotes the text. The loader reports ``Loader/Event/Kind/unusable(_:)``, and the log has the
    /// first such text of a recipe.
    static var isStrict: Bool { get }

    /// Returns the image's size in points, if it is known before the image arrives: it reserves layout. Called while the model is decoded.
    static func size(in fields: SiblingFields) -> CGSize?

    /// Returns the placeholder to show until the image arrives, made from the fields beside it: a hash, a color, a few bytes. Called while
    /// the model is decoded; the placeholder's image is made with the future, in the size from ``size(in:)``. The default is the asset
    /// that ``placeholder`` names.
    ///
    ///     static func placeholder(in fields: FutureImage.SiblingFields) -> FutureImage.Placeholder? {
    ///       fields.value("blurHash", as: String.self).map { .blurHash($0) }
    ///     }
    /// - Returns: nil for no placeholder.
    static func placeholder(in fields: SiblingFields) -> Placeholder?

    /// Returns a description of the image for people who do not see it: the future's ``FutureImage/FutureImage/alternativeText``. Called
    /// while the model is decoded. The default returns none.
    ///
    ///     static func alternativeText(in fields: FutureImage.SiblingFields) -> String? { fields.value("caption", as: String.self) }
    static func alternativeText(in fields: SiblingFields) -> String?

    /// Returns whether there is an image at all. If there is none, an optional property is nil and a collection omits the element, without
    /// a report. Called while the model is decoded, before ``source(for:in:)``. The default finds no image in an empty text.
    ///
    ///     static func hasImage(for text: String, in fields: FutureImage.SiblingFields) -> Bool {
    ///       !text.isEmpty && !text.hasSuffix("/no-photo.png")
    ///     }
    static func hasImage(for text: String, in fields: SiblingFields) -> Bool

    /// Makes a source from the text in the JSON. Called while the model is decoded; nothing is fetched. The default accepts `http`,
    /// `https`, and `data` URLs, and relative ones if there is a base URL.
    ///
    ///     static func source(for text: String, in fields: FutureImage.SiblingFields) throws -> FutureImage.Source {
    ///       // The model's own id for a key, since the URL is signed anew in every feed.
    ///       .url(try fields.url(for: text), key: fields.value("id", as: Int.self).map { "product-\($0)" })
    ///     }
    /// - Throws: any error; it becomes the cause of a ``Failure`` or a `DecodingError`, see ``isStrict``.
    static func source(for text: String, in fields: SiblingFields) throws -> Source

    /// Returns a new URL to replace one that has expired, as signed URLs do. The default has none.
    ///
    ///     static func renew(_ url: URL, key: String) async throws -> URL? {
    ///       try await shop.signedURL(ofProduct: key)
    ///     }
    ///
    /// Called when the server answers 401, 403, or 410 (the statuses that servers use for expired URLs), once for all live futures of the
    /// key. The new URL is requested at once, and replaces the old one for all futures of the key in the loader. The key remains the same:
    /// give the source a key that does not change with the signature.
    ///
    /// It runs in a task of its own. A call that takes longer than the loader's `timeout` fails the attempt.
    /// - Parameters:
    ///   - url: the URL that the server refused.
    ///   - key: the source's key.
    /// - Returns: an `http` or `https` URL; nil or the old URL if there is no other, in which case the server's status is the failure.
    /// - Throws: any error; it fails the attempt, and another attempt may follow unless the error is a ``Failure`` that is not transient.
    static func renew(_ url: URL, key: String) async throws -> URL?
  }

  /// The key of a ``Loader`` in a decoder's `userInfo`. The futures that it decodes use that loader instead of the shared one and the
  /// recipe's.
  public static let loaderKey = CodingUserInfoKey.futureImageLoader

  /// The key of a base `URL` in a decoder's `userInfo`. Relative URLs in decoded content are resolved against it, whatever base the recipe
  /// has. The URL that the feed came from is a good choice.
  public static let baseURLKey = CodingUserInfoKey.futureImageBaseURL
}

extension FutureImage.Recipe {
  public static var placeholder: String? { nil }
  public static var cachePolicy: FutureImage.CachePolicy? { nil }
  public static var transform: FutureImage.Transform? { nil }
  public static var priority: FutureImage.Priority { .normal }
  public static var loader: FutureImage.Loader? { nil }
  public static var baseURL: URL? { nil }
  public static var isStrict: Bool { false }
  public static func size(in fields: FutureImage.SiblingFields) -> CGSize? { nil }

  public static func placeholder(in fields: FutureImage.SiblingFields) -> FutureImage.Placeholder? {
    placeholder.map { .named($0) }
  }

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
  /// A recipe that makes a future of the URL, and nothing more.
  public enum DefaultRecipe: Recipe {}
}
