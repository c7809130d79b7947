import CGtk
import Storefront

/// The sizes of the caches, a button that clears them, and the speed of the shop's network.
@MainActor
final class SettingsPage {
  let widget: Widget
  private(set) var sizes = CacheSizes()
  private let store: Store
  private let values: [Widget]
  private let clearButton = made(gtk_button_new_with_label("Clear the caches")).aligned(GTK_ALIGN_START).styled("clear")
  private let slowSwitch = made(gtk_switch_new()).aligned(GTK_ALIGN_END, GTK_ALIGN_CENTER)
  private let fault = label(lines: 3).styled("quiet")

  init(_ store: Store) {
    self.store = store
    values = sizes.lines.map { _ in label().styled("figure").expanding(true, false) }
    let sheet = column(spacing: 6, label("Caches").styled("heading"))
    sheet.styled("sheet").sized(520, -1).aligned(GTK_ALIGN_CENTER, GTK_ALIGN_START)
    for (line, value) in zip(sizes.lines, values) {
      gtk_label_set_xalign(value.object, 1)
      gtk_box_append(sheet.cast(), row(spacing: 12, label(line.title), value))
    }
    let networkLabels = column(label("Slow network"), label("160 KB a second").styled("quiet")).expanding(true, false)
    for part in [clearButton, fault, label("Network").styled("heading"), row(spacing: 12, networkLabels, slowSwitch)] {
      gtk_box_append(sheet.cast(), part)
    }
    widget = column(sheet).styled("settings")
    gtk_switch_set_active(slowSwitch.object, store.shop.isSlow ? 1 : 0)
    on("clicked", of: clearButton.object) { [weak self] in Task { await self?.clear() } }
    onArgument("notify::active", of: slowSwitch.object) { [weak self] _ in
      if let self { self.store.shop.isSlow = gtk_switch_get_active(self.slowSwitch.object) != 0 }
    }
  }

  /// Shows the current sizes of the caches.
  func refresh() async {
    sizes = await store.cacheSizes()
    for (line, value) in zip(sizes.lines, values) { gtk_label_set_text(value.object, line.text) }
  }

  func clickClear() { gtk_widget_activate(clearButton) }

  func turnSlow(_ isOn: Bool) { gtk_switch_set_active(slowSwitch.object, isOn ? 1 : 0) }

  private func clear() async {
    do {
      try await store.clearCaches()
      gtk_label_set_text(fault.object, "")
    } catch {
      gtk_label_set_text(fault.object, error.localizedDescription)
    }
    await refresh()
  }
}
