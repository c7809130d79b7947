import FutureImage
import Storefront
import SwiftUI

/// The shop's prints in a lazy grid. Pulling the grid down requests the images in use again.
struct PrintGrid: View {
  let store: Store
  let items: [Item]
  @Namespace private var zoom

  var body: some View {
    ScrollView {
      LazyVGrid(columns: [GridItem(.adaptive(minimum: 150), spacing: 20, alignment: .top)], spacing: 20) {
        ForEach(items) { item in
          NavigationLink(value: item) { PrintTile(item: item, zoom: zoom) }
        }
      }
      .padding(20)
    }
    .buttonStyle(.plain)
    .refreshable { await items.reload(\.primaryImage) }
    .navigationTitle("Storefront")
    .navigationDestination(for: Item.self) { PrintPage(item: $0).zooms(from: $0.id, in: zoom) }
    .toolbar {
      ToolbarItem(placement: .primaryAction) {
        NavigationLink {
          SettingsView(store: store)
        } label: {
          Label("Settings", systemImage: "gearshape")
        }
      }
    }
  }
}
