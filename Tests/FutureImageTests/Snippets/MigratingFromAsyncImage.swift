import FutureImage

#if canImport(SwiftUI)
import SwiftUI
#endif

enum MigratingFromAsyncImageSnippets {
  struct Article: Decodable {
    let title: String
    @FutureImage.FromURL var photo: FutureImage
  }

  // This code is compiled on Apple's platforms only.
  #if canImport(SwiftUI)
  struct Plain: View {
    let item: Article

    var body: some View {
      FutureImageView(item.photo)
    }
  }

  struct ArticleRow: View {
    let article: Article

    var body: some View {
      FutureImageView(article.photo, contentMode: .fill).frame(width: 120, height: 90)
    }
  }
  #endif
}
