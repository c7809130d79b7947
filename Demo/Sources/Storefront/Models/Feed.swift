import FutureImage

/// The prints that the shop sells.
public struct Feed: Decodable, Sendable {
  public let items: [Item]

  /// Decodes a feed whose images `loader` fetches.
  public init(json: Data, loader: FutureImage.Loader) throws {
    let decoder = JSONDecoder()
    decoder.userInfo[FutureImage.loaderKey] = loader
    self = try decoder.decode(Feed.self, from: json)
  }
}
