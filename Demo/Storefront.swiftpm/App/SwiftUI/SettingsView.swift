import Storefront
import SwiftUI

/// The sizes of the caches, a button that clears them, and the speed of the shop's network.
struct SettingsView: View {
  let store: Store
  @State private var sizes = CacheSizes()
  /// A copy of the shop's value, made whenever the screen appears. The shop is not observable, and the UIKit settings also change its
  /// value.
  @State private var isSlow = false
  @State private var failure: String?

  var body: some View {
    List {
      Section("Caches") {
        ForEach(sizes.lines.indices, id: \.self) { CacheRow(line: sizes.lines[$0]) }
      }
      Section {
        Button("Clear the caches", role: .destructive) { Task { await clear() } }
      } footer: {
        Text("Images on a screen remain.")
      }
      Section {
        Toggle("Slow network", isOn: slowNetwork)
      } header: {
        Text("Network")
      } footer: {
        Text("160 KB a second for images that are requested from now on.")
      }
    }
    .insetGroupedList()
    .navigationTitle("Settings")
    .onAppear { isSlow = store.shop.isSlow }
    .task { await refresh() }
    .alert("Some files could not be removed", isPresented: hasFailed) {
      Button("OK") {}
    } message: {
      Text(failure ?? "")
    }
  }

  private var slowNetwork: Binding<Bool> {
    Binding {
      isSlow
    } set: {
      isSlow = $0
      store.shop.isSlow = $0
    }
  }

  private var hasFailed: Binding<Bool> {
    Binding {
      failure != nil
    } set: {
      if !$0 { failure = nil }
    }
  }

  private func refresh() async { sizes = await store.cacheSizes() }

  private func clear() async {
    do {
      try await store.clearCaches()
    } catch {
      failure = error.localizedDescription
    }
    await refresh()
  }
}
