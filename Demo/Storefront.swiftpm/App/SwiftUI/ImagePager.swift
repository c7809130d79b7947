import FutureImage
import Storefront
import SwiftUI

/// The images of a print, one on each page. The pages have the shape of the whole print. The first page shows the grid's pixels until
/// sharper pixels arrive.
struct ImagePager: View {
  let item: Item
  @Binding var chosen: Item.Detail?

  var body: some View {
    ScrollView(.horizontal) {
      LazyHStack(spacing: 0) {
        ForEach(item.details, id: \.self) { detail in
          FutureImageView(detail.image, ratio: Double(detail.width) / Double(detail.height))
            .containerRelativeFrame([.horizontal, .vertical])
        }
      }
      .scrollTargetLayout()
    }
    .scrollTargetBehavior(.paging)
    .scrollPosition(id: $chosen)
    .scrollIndicators(.hidden)
    .aspectRatio(CGFloat(item.width) / CGFloat(item.height), contentMode: .fit)
  }
}
