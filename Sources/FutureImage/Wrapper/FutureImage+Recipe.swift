extension FutureImage {
  /// How the futures of wrapped properties are made. Everything has a default.
  ///
  ///     enum ProductPhoto: FutureImage.Recipe {
  ///       static var placeholder: String? { "product" }
  ///       static var baseURL: URL? { URL(string: "https://shop.example/photos/") }
  ///     }
  ///     typealias ProductImage<Value: FutureImage.Shape> = FutureImage.From<ProductPhoto, Value>
  ///
  ///     struct Product: Decodable {
  ///       @ProductImage var photo: FutureImage?
  ///     }
  public protocol Recipe: Sendable {
    /// The name of a picture among the app's assets. Where it depends on the model, see ``placeholder(beside:)``.
    static var placeholder: String? { get }
    /// What lasts beyond the model; ``CachePolicy/automatic`` if nil.
    static var cachePolicy: CachePolicy? { get }
    /// What is done to the pixels; nothing if nil.
    static var transform: Transform? { get }
    /// Which of two that are wanted alike is loaded first; ``Priority/normal`` by default.
    static var priority: Priority { get }
    /// The loader of the futures, if the decoder's `userInfo` has none under ``FutureImage/FutureImage/loaderKey``; the shared one if nil.
    static var loader: Loader? { get }
    /// The URL that relative ones are resolved against, if the decoder's `userInfo` has none under
    /// ``FutureImage/FutureImage/baseURLKey``.
    static var baseURL: URL? { get }
    /// The treatment of a text that names no picture; ``Strictness/lenient`` by default.
    static var strictness: Strictness { get }

    /// The picture's size in points, if it is known before the picture is: it reserves layout. Asked while the model is decoded.
    static func size(beside siblings: Siblings) -> CGSize?

    /// The image that is shown until the picture is here, made of the fields beside it: a hash, a color, a few bytes. Asked while the model
    /// is decoded; its image is made with the future, in the size that ``size(beside:)`` says. The default is the asset that
    /// ``placeholder`` names.
    ///
    ///     static func placeholder(beside siblings: FutureImage.Siblings) -> FutureImage.Placeholder? {
    ///       siblings.value("blurHash", as: String.self).map { .blurHash($0) }
    ///     }
    /// - Returns: nil for no placeholder.
    static func placeholder(beside siblings: Siblings) -> Placeholder?

    /// The picture in words, for people who do not see it: the future's ``FutureImage/FutureImage/alternativeText``. Asked while the model
    /// is decoded. The default has none.
    ///
    ///     static func alternativeText(beside siblings: FutureImage.Siblings) -> String? { siblings.value("caption", as: String.self) }
    static func alternativeText(beside siblings: Siblings) -> String?

    /// Whether there is a picture at all. Where there is none, an optional property is nil and a collection has no such element, without a
    /// report. Asked while the model is decoded, before ``source(for:beside:)``. The default finds none in an empty text.
    ///
    ///     static func hasPicture(for text: String, beside siblings: FutureImage.Siblings) -> Bool {
    ///       !text.isEmpty && !text.hasSuffix("/no-photo.png")
    ///     }
    static func hasPicture(for text: String, beside siblings: Siblings) -> Bool

    /// Makes a source of the text in the JSON. Asked while the model is decoded; nothing is fetched. The default takes `http`, `https` and
    /// `data` URLs, and relative ones where there is a base URL.
    ///
    ///     static func source(for text: String, beside siblings: FutureImage.Siblings) throws -> FutureImage.Source {
    ///       // The model's own id for a key, since the URL is signed anew in every feed.
    ///       .url(try siblings.url(for: text), key: siblings.value("id", as: Int.self).map { "product-\($0)" })
    ///     }
    /// - Throws: anything; it becomes the cause of a ``Failure`` or a `DecodingError`, see ``strictness``.
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

  /// The treatment of a text that names no picture which can be fetched, such as a relative URL without a base.
  public enum Strictness: Sendable {
    /// The feed goes on. An optional property is nil, a collection leaves the element out, and any other future fails for good, with a
    /// ``Failure`` that quotes the text. The loader reports ``Loader/Event/Kind/unusable(_:)``, and the first text of a recipe is in the log.
    case lenient
    /// Decoding throws a `DecodingError` with the element's path and the text.
    case strict
  }

  /// A future of the URL, and nothing more.
  public enum Plain: Recipe {}

  /// Put a ``Loader`` under this key into a decoder's `userInfo`, and the futures of what it decodes use that instead of the shared one and
  /// the recipe's.
  public static let loaderKey = CodingUserInfoKey.futureImageLoader

  /// Put a `URL` under this key into a decoder's `userInfo`, and relative URLs in what it decodes are resolved against it, whatever base
  /// the recipe has. The URL that the feed came from is a good one.
  public static let baseURLKey = CodingUserInfoKey.futureImageBaseURL
}

extension FutureImage.Recipe {
  public static var placeholder: String? { nil }
  public static var cachePolicy: FutureImage.CachePolicy? { nil }
  public static var transform: FutureImage.Transform? { nil }
  public static var priority: FutureImage.Priority { .normal }
  public static var loader: FutureImage.Loader? { nil }
  public static var baseURL: URL? { nil }
  public static var strictness: FutureImage.Strictness { .lenient }
  public static func size(beside siblings: FutureImage.Siblings) -> CGSize? { nil }

  public static func placeholder(beside siblings: FutureImage.Siblings) -> FutureImage.Placeholder? {
    placeholder.map { .named($0) }
  }

  public static func alternativeText(beside siblings: FutureImage.Siblings) -> String? { nil }

  public static func hasPicture(for text: String, beside siblings: FutureImage.Siblings) -> Bool {
    !text.allSatisfy(\.isWhitespace)
  }

  public static func source(for text: String, beside siblings: FutureImage.Siblings) throws -> FutureImage.Source {
    .url(try siblings.url(for: text))
  }

  public static func renew(_ url: URL, key: String) async throws -> URL? { nil }
}

extension CodingUserInfoKey {
  static let futureImageLoader = CodingUserInfoKey(rawValue: "FutureImage.Loader") ?? CodingUserInfoKey.impossible
  static let futureImageBaseURL = CodingUserInfoKey(rawValue: "FutureImage.baseURL") ?? CodingUserInfoKey.impossible
  // A user info key can be made of any string; the initializer is failable for history's sake.
  private static var impossible: CodingUserInfoKey { preconditionFailure("a CodingUserInfoKey could not be made") }
}
