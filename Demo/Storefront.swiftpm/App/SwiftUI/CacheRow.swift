import Storefront
import SwiftUI

/// A line of the settings about the caches.
struct CacheRow: View {
  let line: CacheSizes.Line

  var body: some View {
    HStack {
      Text(line.title)
      Spacer()
      Text(line.text).foregroundStyle(.secondary)
    }
    .accessibilityElement(children: .combine)
  }
}
