import Foundation
import FutureImage
import Testing

@MainActor enum SizesAndMemorySnippets {
  static func manySizes(_ item: Item, _ listView: UIImageView, _ detailView: UIImageView) async throws -> UIImage {
    listView.futureImage = item.photo
    detailView.futureImage = item.photo
    let card = try await item.photo.value(fitting: .fill(CGSize(width: 600, height: 315)))
    return card
  }

  static func sized(_ url: URL) -> [FutureImage] {
    let photo = FutureImage(at: url, size: CGSize(width: 320, height: 240))
    let disc = FutureImage(at: url, size: CGSize(width: 320, height: 240), transform: .circle)
    return [photo, disc]
  }

  static func transformed(_ url: URL) -> [FutureImage] {
    let tile = FutureImage(
      at: url, transform: .resize(to: CGSize(width: 160, height: 120), .fill).then(.roundedCorners(8)))
    let framed = FutureImage(at: url, transform: .crop(toRatio: 16 / 9, .top).then(.blur(4)))
    return [tile, framed]
  }

  static func inventory(_ loader: FutureImage.Loader) {
    print(loader.inventory)
  }

  static func still(_ configuration: inout FutureImage.Loader.Configuration) {
    var decoder = FutureImage.StandardDecoder()
    decoder.limits.frames = 1
    configuration.decoder = decoder
  }

  static func sharpen(_ view: UIImageView, _ item: Item) {
    view.setFutureImage(item.photo, .init(interims: .every(.milliseconds(200))))
  }
}

@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct SizesAndMemoryPage {
  @Test func `a known size is said at once, as the transform makes it`() throws {
    let sizes = SizesAndMemorySnippets.sized(try #require(URL(string: "data:,"))).map(\.size)
    #expect(sizes == [CGSize(width: 320, height: 240), CGSize(width: 240, height: 240)])
  }
}
