import FutureImage
import Storefront
import SwiftUI

/// A print in the grid. After a failure, a tap on the image requests the image again, and a tap beside the image opens the page.
struct PrintTile: View {
  let item: Item
  let zoom: Namespace.ID

  var body: some View {
    VStack(alignment: .leading, spacing: 4) {
      FutureImageView(item.primaryImage, contentMode: .fill, ratio: 1.25)
        .overlay(alignment: .bottom) { LoadingBar(photo: item.primaryImage) }
        .clipShape(.rect(cornerRadius: 12))
        .isZoomSource(item.id, in: zoom)
        .padding(.bottom, 4)
      Text(item.title).font(.headline).lineLimit(1)
      HStack(alignment: .firstTextBaseline) {
        Text(item.format).font(.footnote).foregroundStyle(.secondary)
        Spacer(minLength: 8)
        Text(item.price.text).font(.headline)
      }
    }
    .contentShape(.rect)
  }
}
