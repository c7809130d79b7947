import FutureImage
import Storefront
import SwiftUI

/// A row of small images to choose from. They share the transfers of the large images, and are decoded at their own size.
struct ThumbnailRow: View {
  let details: [Item.Detail]
  let shown: Item.Detail?
  let choose: (Item.Detail) -> Void

  var body: some View {
    ScrollView(.horizontal) {
      HStack(spacing: 10) {
        ForEach(details, id: \.self) { detail in
          Button {
            choose(detail)
          } label: {
            FutureImageView(detail.image, contentMode: .fill)
              .frame(width: 104, height: 78)
              .clipShape(.rect(cornerRadius: 9))
              .opacity(detail == shown ? 1 : 0.6)
          }
          .accessibilityLabel(detail.caption)
          .accessibilityAddTraits(detail == shown ? .isSelected : [])
        }
      }
    }
    .buttonStyle(.plain)
    .scrollIndicators(.hidden)
  }
}
