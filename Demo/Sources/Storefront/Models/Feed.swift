import FutureImage

/// What the shop has on sale.
public struct Feed: Decodable, Sendable {
  public let items: [Item]

  /// Decodes a feed whose pictures `loader` will fetch.
  public init(json: Data, loader: FutureImage.Loader) throws {
    let decoder = JSONDecoder()
    decoder.userInfo[FutureImage.loaderKey] = loader
    self = try decoder.decode(Feed.self, from: json)
  }
}
