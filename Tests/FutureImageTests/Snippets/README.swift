import Foundation
import FutureImage
import FutureImageTesting
import Testing

/// Stands for an app around the snippets.
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

@MainActor private func detail(_ views: [UIImageView], _ items: [Item]) {
  let pictures: [UIImage] = items.map(\.photo)
  for (view, picture) in zip(views, pictures) { view.display(picture) }
}

final class User {
  let id: Int
  let avatarURL: URL
  private(set) lazy var avatar = FutureImage(at: avatarURL, placeholder: "person", cachePolicy: .toDisk(path: "avatars/\(id).jpg"))

  init(id: Int, avatarURL: URL) {
    self.id = id
    self.avatarURL = avatarURL
  }
}

private func share(_ item: Item) async throws -> Data? {
  let picture = try await item.photo.value
  return picture.jpegData(compressionQuality: 0.8)
}

private func heldByHand(_ url: URL) async throws {
  let fetcher = HeldFetcher()
  let loader = FutureImage.Loader(.held(by: fetcher))
  let future = FutureImage(at: url, loader: loader)

  try await fetcher.waitForRequests(within: .seconds(10))
  fetcher.resolve(with: TestPicture(width: 64, height: 48).jpeg)
  #expect(try await future.value.size.width == 64)
}

// What its list names with arguments.

private func thumbnail(_ url: URL) -> FutureImage {
  FutureImage(at: url, transform: .resize(to: CGSize(width: 160, height: 120), .fill).then(.roundedCorners(8)))
}

private func ahead(_ items: [Item]) -> FutureImage.Prefetch {
  items[20..<40].prefetch(\.photo)
}

@MainActor private func grown(_ photo: FutureImage) {
  photo.measureViews()
}

private func refreshed(_ photos: [FutureImage]) async {
  await photos.reload()
}

private func taken(_ photo: UIImage, _ avatarURL: URL, _ loader: FutureImage.Loader) async throws {
  try await loader.set(photo, forKey: FutureImage.Source.url(avatarURL).key)
}

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ReadmeSnippets {
  @Test func `the snippets do what the README says`() async throws {
    try await heldByHand(Shop.url())
    let user = User(id: 1, avatarURL: URL(string: "data:,") ?? Shop.url())
    #expect(user.avatar === user.avatar)
  }
}
