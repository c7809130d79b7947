import Foundation
import FutureImage

/// The declarations of UIKit that the page uses and the stand-in lacks. They only let the compiler check the calls of the library. With
/// UIKit, the code uses UIKit's own types.
#if !canImport(UIKit)
@MainActor final class UICollectionView {}

@MainActor protocol UICollectionViewDataSourcePrefetching {}

@MainActor final class UIAction {
  init(title: String, image: UIImage?, handler: @escaping (UIAction) -> Void) {}
}

extension IndexPath {
  fileprivate var item: Int { self[count - 1] }
}
#endif

/// The code blocks of the page. The types of CarPlay, MapKit, TextKit, and share sheets are fakes on every platform. A sample in
/// `Tests/UIKitContract` shows a share sheet of UIKit.
@MainActor enum BeyondImageViewsSnippets {
  @MainActor final class Annotation {}

  @MainActor final class AnnotationView {
    var image: UIImage?
    var annotation: Annotation?
  }

  final class NSTextAttachment {
    var image: UIImage?
    var bounds = CGRect.zero
  }

  @MainActor final class TextView {
    func setNeedsDisplay() {}
  }

  @MainActor final class UIViewController {
    func present(_ controller: UIActivityViewController, animated: Bool) {}
  }

  @MainActor final class UIPopoverPresentationController {
    var sourceView: UIView?
  }

  @MainActor final class UIActivityViewController {
    let popoverPresentationController: UIPopoverPresentationController? = nil

    init(activityItems: [Any], applicationActivities: [Never]?) {}
  }

  struct Place {
    let photo: FutureImage
  }

  @MainActor final class CPListItem {
    private(set) var image: UIImage?
    func setImage(_ image: UIImage?) { self.image = image }
  }

  struct Account {
    let name: String
    let avatarURL: URL
    let smallAvatar: FutureImage
  }

  struct Station {
    let logo: FutureImage
  }

  struct Album {
    let photos: [FutureImage]
  }

  #if canImport(UIKit) || canImport(UIKitStandIn)
  static func barButton(_ user: Account, _ item: UIBarButtonItem) {
    let avatar = FutureImage(at: user.avatarURL, transform: .resize(to: CGSize(width: 28, height: 28), .fill))
    FutureImage.Slot(\UIBarButtonItem.image, renderingMode: .alwaysOriginal).display(avatar, in: item)
  }
  #endif

  private static func signIn(_ user: Account) {}

  static func menu(_ user: Account) async throws -> UIAction {
    let avatar = try await user.smallAvatar.value.withRenderingMode(.alwaysOriginal)
    return UIAction(title: user.name, image: avatar) { _ in signIn(user) }
  }

  static func listItem(_ station: Station, _ listItem: CPListItem) {
    let image = FutureImage.Slot<CPListItem>(
      "image", get: { $0.image }, set: { $0.setImage($1) }, pixelFitting: { _ in .fit(width: 132, height: 132) })
    image.display(station.logo, in: listItem)
  }

  static func annotation(_ place: Place, _ annotation: Annotation, _ view: AnnotationView) {
    place.photo.whenReady(fitting: .fill(width: 120, height: 120)) { [weak view] result in
      guard let view, view.annotation === annotation else { return }
      view.image = try? result.get()
    }
  }

  static func text(_ photo: FutureImage, _ textView: TextView) {
    let attachment = NSTextAttachment()
    attachment.bounds = CGRect(origin: .zero, size: photo.size)
    photo.whenReady { [weak textView] result in
      attachment.image = try? result.get()
      textView?.setNeedsDisplay()
    }
  }

  @MainActor final class Sharing {
    @MainActor func share(_ item: Item, from button: UIView, of controller: UIViewController) async throws {
      let picture = try await item.photo.value
      let sheet = UIActivityViewController(activityItems: [picture], applicationActivities: nil)
      sheet.popoverPresentationController?.sourceView = button  // On an iPad, the sheet is a popover.
      controller.present(sheet, animated: true)
    }
  }

  @MainActor final class AlbumPrefetching: NSObject, UICollectionViewDataSourcePrefetching {
    var items: [Item] = []
    private let prefetcher = FutureImage.Prefetcher<Item>()

    func collectionView(_ collectionView: UICollectionView, prefetchItemsAt indexPaths: [IndexPath]) {
      prefetcher.prefetch(visited(indexPaths)) { $0.photo }
    }

    func collectionView(_ collectionView: UICollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath]) {
      prefetcher.cancel(visited(indexPaths))
    }

    // With a diffable data source, return indexPaths.compactMap { dataSource.itemIdentifier(for: $0) }
    private func visited(_ indexPaths: [IndexPath]) -> [Item] {
      indexPaths.compactMap { items.indices.contains($0.item) ? items[$0.item] : nil }
    }
  }

  private static func add(_ picture: UIImage, at offset: Int) {}

  private static func skip(_ offset: Int, because failure: FutureImage.Failure) {}

  static func eachOfMany(_ album: Album) async {
    for await (offset, result) in album.photos.results(fitting: .fit(width: 1200, height: 1200)) {
      switch result {
      case .success(let picture): add(picture, at: offset)
      case .failure(let failure): skip(offset, because: failure)
      }
    }
  }

  static func many(_ album: Album) async throws -> [UIImage] {
    let pictures = try await album.photos.images(fitting: .fit(width: 1200, height: 1200))
    return pictures
  }
}
