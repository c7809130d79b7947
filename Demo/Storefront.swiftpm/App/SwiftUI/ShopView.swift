import Storefront
import SwiftUI

/// The shop in SwiftUI, with the grid and the pages that it opens. It shows the same items as the screens of UIKit or AppKit, so each
/// image is fetched once for both.
struct ShopView: View {
  /// Whether the app has opened the shop.
  enum Status {
    case opening
    case open(Store, [Item])
    case closed(any Error)
  }

  let status: Status

  var body: some View {
    switch status {
    case .opening: ProgressView()
    case .open(let store, let items): NavigationStack { PrintGrid(store: store, items: items) }
    case .closed(let error):
      ContentUnavailableView("The shop could not be opened", systemImage: "bag", description: Text(error.localizedDescription))
    }
  }
}

#Preview("Opening") {
  ShopView(status: .opening)
}
