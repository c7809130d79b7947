import Storefront
import SwiftUI

/// The screen of one print, with its images as large pages and as thumbnails, and with its credit.
struct PrintPage: View {
  let item: Item
  /// The image that people choose; nil until they choose an image or turn a page.
  @State private var chosen: Item.Detail?

  var body: some View {
    ScrollView {
      VStack(alignment: .leading, spacing: 8) {
        ImagePager(item: item, chosen: $chosen)
        Text(shown?.caption ?? "").font(.footnote).foregroundStyle(.secondary)
        ThumbnailRow(details: item.details, shown: shown) { detail in withAnimation { chosen = detail } }
        Text(item.price.text).font(.title2)
        Text(item.format)
        Group {
          Text("Photograph: \(item.credit)")
          Text("Terms: \(item.license)")
          Text("Original: \(item.width) × \(item.height) pixels")
        }
        .font(.footnote)
      }
      .padding(20)
    }
    .navigationTitle(item.title)
    .inlineNavigationTitle()
  }

  private var shown: Item.Detail? { chosen ?? item.details.first }
}
