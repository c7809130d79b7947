import FutureImage

/// A JSON Feed (version 1.1, jsonfeed.org), as far as it has pictures.
struct JSONFeed: Decodable, Sendable {
  struct Item: Decodable, Sendable {
    let id: String
    @FutureImage.From<Thumbnail, FutureImage?> var image: FutureImage?
    @FutureImage.From<Thumbnail, FutureImage?> var bannerImage: FutureImage?
    let attachments: [Attachment]?

    /// The first picture of the item. Those behind it are not fetched.
    var picture: FutureImage? { image ?? bannerImage ?? attachments?.lazy.compactMap(\.url).first }
  }

  struct Attachment: Decodable, Sendable {
    let mimeType: String?
    @FutureImage.From<AttachedThumbnail, FutureImage?> var url: FutureImage?
  }

  let items: [Item]
}

/// A thumbnail of at most 320 × 320 pixels.
enum Thumbnail: FutureImage.Recipe {
  static var transform: FutureImage.Transform? { .resize(toPixels: FutureImage.PixelSize(width: 320, height: 320)) }
}

/// The same of an attachment, if that is a picture.
enum AttachedThumbnail: FutureImage.Recipe {
  static var transform: FutureImage.Transform? { Thumbnail.transform }

  static func hasPicture(for text: String, beside siblings: FutureImage.Siblings) -> Bool {
    !text.isEmpty && siblings.value("mime_type", as: String.self)?.hasPrefix("image/") == true
  }
}
