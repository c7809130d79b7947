import FutureImage

#if canImport(SwiftUI)
import SwiftUI
#endif

#if canImport(WidgetKit)
import WidgetKit
#endif

enum InSwiftUISnippets {
  struct Article: Decodable, Identifiable, Sendable {
    let id: Int
    let title: String
    @FutureImage.FromURL var photo: FutureImage
  }

  // This code is compiled on Apple's platforms only.
  #if canImport(SwiftUI)
  struct Thumbnail: View {
    let article: Article

    var body: some View {
      FutureImageView(article.photo, contentMode: .fill)
        .frame(width: 120, height: 90)
    }
  }

  struct Wide: View {
    let article: Article

    var body: some View {
      FutureImageView(article.photo, contentMode: .fill, ratio: 16.0 / 9)
    }
  }

  struct WithPlaceholder: View {
    let article: Article

    var body: some View {
      FutureImageView(article.photo, ratio: 1.5) { image in
        image.resizable().scaledToFill()
      } placeholder: {
        ProgressView()
      }
    }
  }

  struct WithPhases: View {
    let article: Article

    var body: some View {
      FutureImageView(article.photo) { phase in
        switch phase {
        case .loading(let placeholder): (placeholder ?? Image(systemName: "photo")).resizable()
        case .ready(let image): image.resizable().scaledToFit()
        case .failed(let failure): Text(failure.localizedDescription)
        }
      }
    }
  }

  struct Articles: View {
    let articles: [Article]

    var body: some View {
      List(articles) { article in
        HStack {
          FutureImageView(article.photo, contentMode: .fill).frame(width: 80, height: 60)
          Text(article.title)
        }
      }
      .refreshable { await articles.reload(\.photo) }
    }
  }

  struct PhotoStatus: View {
    let photo: FutureImage

    var body: some View {
      switch photo.phase {
      case .failed(let failure): Text(failure.localizedDescription)
      case .loading(let fraction): ProgressView(value: fraction)
      default: EmptyView()
      }
    }
  }

  struct Previews: View {
    let picture: UIImage
    let sketch: UIImage

    var body: some View {
      FutureImageView(.constant(.ready(picture)))
      FutureImageView(.constant(.loading(0.4), placeholder: .image(sketch)))
      FutureImageView(.constant(.failed(FutureImage.Failure(.status(404)))))
    }
  }

  @MainActor final class Drawing {
    var subscription: FutureImage.Subscription?

    func show(_ photo: FutureImage, _ colorScheme: ColorScheme) {
      subscription = FutureImage.Subscription(of: photo, fitting: .fill(width: 480, height: 360), isDark: colorScheme == .dark)
    }
  }

  #if canImport(UIKit) || canImport(UIKitStandIn)
  @available(iOS 26, tvOS 26, visionOS 26, *)
  final class PhotoController: UIViewController {
    var photo: FutureImage?

    override func updateProperties() {
      super.updateProperties()
      navigationItem.rightBarButtonItem?.isEnabled = photo?.image != nil
    }
  }
  #endif

  #if canImport(UIKit) || canImport(UIKitStandIn)
  final class Polaroid: UIView {
    let imageView = UIImageView()
    let caption = UILabel()

    override func layoutSubviews() {
      super.layoutSubviews()
      imageView.frame = bounds.insetBy(dx: 12, dy: 12)
      caption.isHidden = imageView.futureImage?.image == nil
    }
  }
  #endif

  #if canImport(UIKit) || canImport(UIKitStandIn)
  @MainActor static func render(_ photo: FutureImage) async throws -> UIImage? {
    let picture = try await photo.value(fitting: .fill(width: 1200, height: 900))
    let renderer = ImageRenderer(content: FutureImageView(photo, contentMode: .fill).frame(width: 400, height: 300))
    renderer.scale = 3
    let poster = withExtendedLifetime(picture) { renderer.uiImage }
    return poster
  }
  #endif
  #endif

  #if canImport(WidgetKit)
  @available(iOS 18, visionOS 26, *)
  struct Accented: View {
    let article: Article

    var body: some View {
      FutureImageView(article.photo, contentMode: .fill) { image in
        image.resizable().widgetAccentedRenderingMode(.desaturated).scaledToFill()
      } placeholder: {
        Color.gray
      }
    }
  }

  struct ArticleEntry: TimelineEntry {
    let date: Date
    let picture: UIImage?
  }

  struct ArticleProvider: TimelineProvider {
    let photoURL: URL

    func placeholder(in context: Context) -> ArticleEntry { ArticleEntry(date: .now, picture: nil) }

    func getSnapshot(in context: Context, completion: @escaping @Sendable (ArticleEntry) -> Void) {
      let size = context.displaySize
      Task { completion(await entry(size)) }
    }

    func getTimeline(in context: Context, completion: @escaping @Sendable (Timeline<ArticleEntry>) -> Void) {
      let size = context.displaySize
      Task { completion(Timeline(entries: [await entry(size)], policy: .after(.now + 3600))) }
    }

    private func entry(_ size: CGSize) async -> ArticleEntry {
      let photo = FutureImage(at: photoURL, cachePolicy: .automatic.onlyFromCache)
      return ArticleEntry(date: .now, picture: try? await photo.value(fitting: .fill(FutureImage.PixelSize(size, scale: 3))))
    }
  }
  #endif

  static func limitExtension() throws {
    var configuration = FutureImage.Loader.Configuration()
    configuration.diskCache = try FutureImage.DiskCache(appGroup: "group.com.example.shop", maxBytes: 128 << 20)
    configuration.maxDecodes = 1
    configuration.maxBytes = 8 << 20
    configuration.maxPixelBytes = 4 << 20
    try FutureImage.Loader.configureShared(configuration)
  }
}
