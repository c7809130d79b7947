#if canImport(AppKit) && !canImport(UIKit)
import AppKit
import Storefront
import SwiftUI

/// The delegate that opens the shop once and shows its items in two windows, one with a table of AppKit and one with the SwiftUI screens.
final class AppDelegate: NSObject, NSApplicationDelegate, NSWindowDelegate {
  private var store: Store?
  private let list = PrintListController()
  private let shop = NSHostingController(rootView: ShopView(status: .opening))
  /// The open windows, which AppKit does not retain.
  private var windows: [NSWindow] = []
  private var corner = NSPoint.zero

  func applicationDidFinishLaunching(_ notification: Notification) {
    NSApp.mainMenu = .shop()
    list.onOpen = { [weak self] item in self?.show(DetailController(item), size: NSSize(width: 560, height: 720)) }
    // The window keeps its size when the grid replaces the progress indicator, which is small.
    shop.sizingOptions = []
    show(shop, size: NSSize(width: 560, height: 640))
    show(list, size: NSSize(width: 440, height: 640))
    NSApp.activate()
    Task { await open() }
  }

  func applicationShouldTerminateAfterLastWindowClosed(_ sender: NSApplication) -> Bool { true }

  func applicationWillTerminate(_ notification: Notification) { store?.close() }

  func windowWillClose(_ notification: Notification) { windows.removeAll { $0 === notification.object as AnyObject } }

  private func open() async {
    do {
      let store = try Store()
      self.store = store
      store.shop.release()
      let items = try await store.items()
      list.show(items)
      shop.rootView = ShopView(status: .open(store, items))
    } catch {
      shop.rootView = ShopView(status: .closed(error))
      NSApp.presentError(error)
    }
  }

  private func show(_ controller: NSViewController, size: NSSize) {
    let window = NSWindow(contentViewController: controller)
    window.isReleasedWhenClosed = false
    window.delegate = self
    window.setContentSize(size)
    corner = window.cascadeTopLeft(from: corner)
    windows.append(window)
    window.makeKeyAndOrderFront(nil)
  }
}

extension NSMenu {
  /// Creates the menu bar, which the main nib of an app would contain.
  fileprivate static func shop() -> NSMenu {
    let app = NSMenu(title: "Storefront")
    app.addItem(withTitle: "Quit Storefront", action: #selector(NSApplication.terminate(_:)), keyEquivalent: "q")
    let file = NSMenu(title: "File")
    file.addItem(withTitle: "Close", action: #selector(NSWindow.performClose(_:)), keyEquivalent: "w")
    let bar = NSMenu(title: "")
    for menu in [app, file] {
      let item = NSMenuItem(title: menu.title, action: nil, keyEquivalent: "")
      item.submenu = menu
      bar.addItem(item)
    }
    return bar
  }
}
#endif
