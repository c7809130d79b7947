import FutureImage

/// One print of the shop, decoded from the feed.
///
/// Each image is fetched when it is first used, and all copies of the item share it.
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

  /// One image of a print: the whole print or a close-up.
  public struct Detail: Decodable, Hashable, Sendable {
    public let caption: String
    /// Width and height in pixels.
    public let width: Int
    public let height: Int
    @PrintImage public var image: FutureImage
  }

  /// The images for the carousel. They are futures, with the type of plain images.
  public var detailImages: [BaseImage] { details.map(\.image) }
}
