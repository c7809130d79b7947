import CGtk
import Foundation
import FutureImage
import Storefront

func complain(_ text: String) {
  FileHandle.standardError.write(Data("StorefrontGTK: \(text)\n".utf8))
}

@MainActor
func openShop(_ options: Options) throws -> Int32 {
  guard gtk_init_check() != 0 else {
    complain("There is no display. Use Demo/run --headless to see the shop without one.")
    return 2
  }
  loadStyle()
  let store = try Store(maxPixelBytes: options.maxPixelBytes)
  defer { store.close() }
  let window = ShopWindow()
  var status: Int32 = 0
  Task {
    do {
      let items = try await store.items()
      window.show(items, of: store)
      window.onReload = { Task { await reload(window, store) } }
      if options.isTour {
        try await Tour(window, store, items, screenshots: options.screenshots).run()
        MainLoop.quit()
      } else {
        await welcome(to: window, store, items)
      }
    } catch {
      complain(error.localizedDescription)
      status = 1
      MainLoop.quit()
    }
  }
  MainLoop.run()
  return status
}

/// Loads the feed again, which creates new models with new futures of the same images.
@MainActor
func reload(_ window: ShopWindow, _ store: Store) async {
  do {
    window.grid?.replace(with: try await store.reloadedItems())
  } catch {
    complain(error.localizedDescription)
  }
}

/// Shows for two seconds how images load, and then lets the shop send the images that it holds. Keeps the status line current.
@MainActor
func welcome(to window: ShopWindow, _ store: Store, _ items: [Item]) async {
  Task {
    try? await Task.sleep(for: .seconds(2))
    store.shop.release()
  }
  await window.keepStatus(of: store, items: items.count)
}

do {
  exit(try openShop(Options(CommandLine.arguments.dropFirst())))
} catch {
  complain(error.localizedDescription)
  exit(2)
}
