import FutureImage

/// One print of the shop, as the feed tells it.
///
/// The pictures are fetched when they are first touched, and every copy of the item shares them.
public struct Item: Decodable, Hashable, Sendable, Identifiable {
  public let id: Int
  public let title: String
  public let credit: String
  public let license: String
  /// Paper and size, in words.
  public let format: String
  public let price: Price
  /// The photo's width and height in pixels.
  public let width: Int
  public let height: Int
  @PrintImage public var primaryImage: FutureImage
  public let details: [Detail]

  /// A further view of a print.
  public struct Detail: Decodable, Hashable, Sendable {
    public let caption: String
    /// Width and height in pixels.
    public let width: Int
    public let height: Int
    @PrintImage public var image: FutureImage
  }

  /// The carousel's pictures: futures, handed on as the images that they are.
  public var detailImages: [UIImage] { details.map(\.image) }
}
