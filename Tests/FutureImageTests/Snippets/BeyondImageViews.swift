import Foundation
import FutureImage

/// What the page names of UIKit and the stand-in has not. These say no more than that the calls are the library's; with UIKit, its own types
/// take their place.
#if !canImport(UIKit)
@MainActor final class UIBarButtonItem {
  var image: UIImage?
}

@MainActor final class UICollectionView {}

extension IndexPath {
  fileprivate var item: Int { self[count - 1] }
}
#endif

/// The types of MapKit, of TextKit and for sharing are fakes on every platform.
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

  @MainActor final class UIActivityViewController {
    init(activityItems: [Any], applicationActivities: [Never]?) {}
  }

  struct Place {
    let photo: FutureImage
  }

  struct Account {
    let avatar: FutureImage
  }

  struct Album {
    let photos: [FutureImage]
  }

  static func barButton(_ user: Account, _ item: UIBarButtonItem) {
    user.avatar.whenReady(fitting: .fill(width: 84, height: 84)) { [weak item] result in
      item?.image = try? result.get()
    }
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

  private static func present(_ controller: UIActivityViewController, animated: Bool) {}

  static func share(_ item: Item) async throws {
    let picture = try await item.photo.value
    present(UIActivityViewController(activityItems: [picture], applicationActivities: nil), animated: true)
  }

  @MainActor final class DataSource {
    private let items: [Item] = []
    private let prefetcher = FutureImage.Prefetcher<IndexPath>()

    func collectionView(_ view: UICollectionView, prefetchItemsAt paths: [IndexPath]) {
      prefetcher.prefetch(paths) { items[$0.item].photo }
    }

    func collectionView(_ view: UICollectionView, cancelPrefetchingForItemsAt paths: [IndexPath]) {
      prefetcher.cancel(paths)
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
