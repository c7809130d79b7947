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
    static var cachePolicy: CachePolicy? { get }
    /// In points.
    static var size: CGSize? { get }
    static var priority: Priority { get }
  }

  /// A future of the URL, and nothing more.
  public enum Plain: Recipe {}

  /// Put a ``Loader`` under this key into a decoder's `userInfo`, and the futures of what it decodes use that instead of the shared one.
  public static let loaderKey = CodingUserInfoKey.futureImageLoader
}

extension FutureImage.Recipe {
  public static var placeholder: String? { nil }
  public static var cachePolicy: FutureImage.CachePolicy? { nil }
  public static var size: CGSize? { nil }
  public static var priority: FutureImage.Priority { .normal }
}

extension CodingUserInfoKey {
  static let futureImageLoader = CodingUserInfoKey(rawValue: "FutureImage.Loader") ?? CodingUserInfoKey.impossible
  // A user info key can be made of any string; the initializer is failable for history's sake.
  private static var impossible: CodingUserInfoKey { preconditionFailure("a CodingUserInfoKey can be made of any string") }
}
