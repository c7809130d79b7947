import FutureImage

/// The parts of a JSON Feed (version 1.1, jsonfeed.org) that have images.
struct JSONFeed: Decodable, Sendable {
  struct Item: Decodable, Sendable {
    let id: String
    @FutureImage.From<Thumbnail, FutureImage?> var image: FutureImage?
    @FutureImage.From<Thumbnail, FutureImage?> var bannerImage: FutureImage?
    let attachments: [Attachment]?

    /// The first image of the item. The others are not fetched.
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

/// The same thumbnail for an attachment that is an image.
enum AttachedThumbnail: FutureImage.Recipe {
  static var transform: FutureImage.Transform? { Thumbnail.transform }

  static func hasImage(for text: String, in fields: FutureImage.SiblingFields) -> Bool {
    !text.isEmpty && fields.value("mime_type", as: String.self)?.hasPrefix("image/") == true
  }
}
