import FutureImage

#if canImport(SwiftUI)
import SwiftUI
#endif

enum InSwiftUISnippets {
  struct Article: Decodable, Identifiable, Sendable {
    let id: Int
    let title: String
    @FutureImage.FromURL var photo: FutureImage
  }

  // Compiled on Apple's platforms only.
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
      FutureImageView(.preview(.ready(picture)))
      FutureImageView(.preview(.loading(0.4), placeholder: sketch))
      FutureImageView(.preview(.failed(FutureImage.Failure(.status(404)))))
    }
  }

  @MainActor final class Drawing {
    var lease: FutureImage.Lease?

    func show(_ photo: FutureImage, _ colorScheme: ColorScheme) {
      lease = FutureImage.Lease(of: photo, fitting: .fill(width: 480, height: 360), isDark: colorScheme == .dark)
    }
  }
  #endif

  static func entry(_ article: Article) async -> UIImage? {
    let picture = try? await article.photo.value(fitting: .fill(width: 480, height: 480))
    return picture
  }
}
