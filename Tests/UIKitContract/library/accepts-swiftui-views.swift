// The view for SwiftUI, as apps use it.
import FutureImage
import SwiftUI

struct Article: Decodable, Identifiable, Hashable {
  let id: Int
  let title: String
  @FutureImage.FromURL var photo: FutureImage
  @FutureImage.FromURL var badge: FutureImage?
  @FutureImage.FromURL var pages: [FutureImage]
}

struct ArticleRow: View {
  let article: Article
  var body: some View {
    HStack {
      FutureImageView(article.photo, contentMode: .fill).frame(width: 120, height: 90)
      FutureImageView(article.badge).frame(width: 24, height: 24)
      FutureImageView(article.photo, ratio: 1.5) { image in
        image.resizable().scaledToFill()
      } placeholder: {
        Color.gray
        ProgressView()
      }
      FutureImageView(article.photo, contentMode: .fill, ratio: 16.0 / 9) { phase in
        switch phase {
        case .loading(let placeholder): (placeholder ?? Image(systemName: "photo")).resizable()
        case .ready(let image): image.resizable().scaledToFill()
        case .failed(let failure): Text(failure.localizedDescription)
        }
      }
    }
  }
}

struct ArticleScreen: View {
  let articles: [Article]
  @State private var selection: Article?
  @Namespace private var namespace
  var body: some View {
    List(articles) { ArticleRow(article: $0) }
      .refreshable { await articles.reload(\.photo) }
    ScrollView {
      LazyVGrid(columns: [GridItem(.adaptive(minimum: 100))]) {
        ForEach(articles) { article in
          FutureImageView(article.photo, contentMode: .fill, ratio: 1)
            .matchedGeometryEffect(id: article.id, in: namespace)
            .onTapGesture { selection = article }
        }
      }
    }
    TabView {
      ForEach(selection?.pages ?? [], id: \.self) { FutureImageView($0) }
    }
    .tabViewStyle(.page)
  }
}

// SwiftUI updates a view that reads the state of an image when the state changes.
struct Caption: View {
  let photo: FutureImage
  var body: some View {
    switch photo.phase {
    case .loading(let fraction): ProgressView(value: fraction)
    case .failed(let failure): Button(failure.localizedDescription) { photo.reload() }
    case .waiting, .fetched, .ready: Text(photo.alternativeText ?? "")
    }
  }
}
