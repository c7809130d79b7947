import Foundation
import FutureImage
import FutureImageTesting
import Testing

// What the README shows, as code that compiles. The suite below sees to it that both stay the same.

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

// NSCache may be used on any thread, which Swift 6 cannot know.
nonisolated(unsafe) let thumbnails = NSCache<NSString, UIImage>()

final class User {
  let id: Int
  let avatarURL: URL
  private(set) lazy var avatar = FutureImage(
    at: avatarURL, placeholder: "person", cachePolicy: .using(cache: thumbnails, key: "avatar-\(id)"))
  private(set) lazy var cover = FutureImage(at: avatarURL, cachePolicy: .toDisk(path: "covers/\(id).jpg"))

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

  await fetcher.waitForRequests()
  fetcher.resolve(with: Picture.jpeg())
  #expect(try await future.value.size.width == 64)
}

// What its list names with arguments.

@MainActor private func places(_ photo: FutureImage, _ broken: UIImage, _ button: UIButton, _ view: UIImageView) {
  button.setFutureImage(photo, for: .normal)
  view.setFutureImage(photo, .init(transition: .fade(), failureImage: broken, retriesOnTap: true))
  view.setFutureImage(photo, .init(interims: .every(.milliseconds(200))))
}

private func thumbnail(_ url: URL) -> FutureImage {
  FutureImage(at: url, transform: .resize(to: CGSize(width: 160, height: 120), .fill).then(.roundedCorners(8)))
}

private func ahead(_ items: [Item]) -> FutureImage.Prefetch {
  items[20..<40].prefetch(\.photo)
}

private func spared(_ photo: URL, _ thumbnail: URL) -> FutureImage.Source {
  .url(photo).onAvoidedNetworks(use: .url(thumbnail))
}

private func taken(_ photo: UIImage, _ avatarURL: URL, _ loader: FutureImage.Loader) async throws {
  try await loader.set(photo, forKey: FutureImage.Source.url(avatarURL).key)
}

private func again(_ future: FutureImage, _ loader: FutureImage.Loader) {
  future.cancel()
  future.reload()
  loader.retryFailed()
}

@Suite struct SnippetTests {
  private let here = URL(fileURLWithPath: #filePath)

  private func readme() throws -> String {
    try String(contentsOf: URL(fileURLWithPath: "../../README.md", relativeTo: here), encoding: .utf8)
  }

  @Test func `every call in the README's list is compiled here, too`() throws {
    let code = try String(contentsOf: here, encoding: .utf8)
    let items = try readme().components(separatedBy: "\n").filter { $0.hasPrefix("- ") || $0.hasPrefix("  ") }
    let calls = items.flatMap { $0.matches(of: /`([^`]*\([^`]*)`/).map { String($0.1) } }
    #expect(calls.count >= 8)
    for call in calls { #expect(code.contains(call), "not compiled: \(call)") }
  }

  @Test func `every Swift snippet of the README is compiled here, letter for letter`() throws {
    let code = try String(contentsOf: here, encoding: .utf8).squeezed
    let snippets = try readme().components(separatedBy: "```swift\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
    #expect(snippets.count >= 4)
    for snippet in snippets {
      #expect(code.contains(snippet.squeezed), "not compiled: \(snippet)")
    }
  }

  @Test func `the snippets do what the README says`() async throws {
    try await heldByHand(Shop.url())
    let image = FutureImage(at: Shop.url(), loader: Shop().loader)
    await places(image, Picture.image(), UIButton(type: .custom), UIImageView(image: nil))
    #expect(thumbnail(Shop.url()).key == spared(Shop.url(), Shop.url("small")).key)
    let user = User(id: 1, avatarURL: URL(string: "data:,") ?? Shop.url())
    #expect(user.avatar === user.avatar)
  }
}

extension String {
  /// Without indentation and empty lines.
  fileprivate var squeezed: String {
    split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }.joined(separator: "\n")
  }
}
