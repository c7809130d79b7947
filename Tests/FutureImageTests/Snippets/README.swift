import Foundation
import FutureImage
import FutureImageTesting
import Testing

#if canImport(SwiftUI)
import SwiftUI
#endif

/// A cell of an app that uses the snippets.
@MainActor private final class Cell {
  let imageView = UIImageView(frame: CGRect(x: 0, y: 0, width: 80, height: 60))
}

struct Item: Decodable, Hashable, Sendable {
  let title: String
  @FutureImage.FromURL var photo: FutureImage
  @FutureImage.FromURL var badge: FutureImage?
}

@MainActor private func list(_ cell: Cell, _ item: Item) {
  cell.imageView.futureImage = item.photo
}

#if canImport(SwiftUI)
@MainActor private func row(_ item: Item) -> some View {
  FutureImageView(item.photo, contentMode: .fill)
}

@MainActor private func pages(_ items: [Item]) -> some View {
  let photos = items.map(\.photo)
  return ForEach(photos, id: \.self) { FutureImageView($0) }
}
#endif

@MainActor private func detail(_ view: UIImageView, _ items: [Item], _ page: Int) {
  let pictures: [UIImage] = items.map(\.photo)
  view.display(pictures[page])
}

private func shrink(_ url: URL, to file: URL) async throws {
  let box = FutureImage.PixelSize(width: 320, height: 320)
  let thumbnail = try await FutureImage.Loader.shared.encoded(.url(url), resizedTo: box, as: .webp, confirmed: true)
  try thumbnail.data.write(to: file)
}

// The calls in the table of screens.

#if canImport(UIKit) || canImport(UIKitStandIn)
@MainActor private func changed(_ cell: UITableViewCell, _ content: UIListContentConfiguration, _ view: UIImageView, _ item: Item) {
  view.futureImage = item.photo
  cell.display(content)
  let picture: UIImage = item.photo
  view.display(picture)
}
#endif

// The calls with arguments in the list of features.

private func thumbnail(_ url: URL) -> FutureImage {
  FutureImage(at: url, transform: .resize(to: CGSize(width: 160, height: 120), .fill).then(.roundedCorners(8)))
}

private func ahead(_ items: [Item]) -> FutureImage.Prefetch {
  items[20..<40].prefetch(\.photo)
}

@MainActor private func grown(_ photo: FutureImage) {
  photo.measureViews()
}

private func pulled(_ products: [Item]) async -> [FutureImage.Failure] {
  await products.reload(\.photo)
}

private func refreshed(_ photos: [FutureImage]) async {
  await photos.reload()
}

private func taken(_ photo: UIImage, _ avatarURL: URL, _ loader: FutureImage.Loader) async throws {
  try await loader.set(photo, forKey: FutureImage.Source.url(avatarURL).key)
}

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ReadmeSnippets {
  @Test func `the README's code for thumbnails reduces a photo of 640 by 480 pixels to 320 by 240 pixels`() async throws {
    let photo = TestImage(width: 640, height: 480).jpeg
    let url = try #require(URL(string: "data:image/jpeg;base64,\(photo.base64EncodedString())"))
    let folder = Scratch.folder()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "small.jpg")
    try await shrink(url, to: file)
    #expect(try UIImage(data: Data(contentsOf: file))?.size == CGSize(width: 320, height: 240))
  }
}
