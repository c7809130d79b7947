// Models, and the ways in which code shows and awaits their images.
import FutureImage

struct Item: Codable, Hashable, Sendable {
  let id: Int
  @FutureImage.FromURL var photo: FutureImage
  @FutureImage.FromURL var extra: FutureImage?
}
final class LazyItem {
  let url: URL
  private(set) lazy var photo = FutureImage(at: url, placeholder: "item", cachePolicy: .using(cache: pictures, key: url.absoluteString))
  init(url: URL) { self.url = url }
}
nonisolated(unsafe) let pictures = NSCache<NSString, UIImage>()
@MainActor func show(_ item: Item, in cell: UIImageView, carousel: [UIImageView], button: UIBarButtonItem) {
  cell.futureImage = item.photo
  for (view, image) in zip(carousel, [item.photo, item.extra].compactMap { $0 } as [UIImage]) { view.display(image) }
  item.photo.whenReady(fitting: .fit(width: 44, height: 44)) { [weak button] result in button?.image = try? result.get() }
}
func send(_ item: Item) async throws -> Data? { try await item.photo.value.jpegData(compressionQuality: 0.8) }
@MainActor final class Avatar: UIView, ImageDisplaying {
  var image: UIImage? { didSet { layer.contents = image?.cgImage } }
  var pixelFitting: FutureImage.Fitting? { .fill(FutureImage.PixelSize(bounds.size, scale: traitCollection.displayScale)) }
}
