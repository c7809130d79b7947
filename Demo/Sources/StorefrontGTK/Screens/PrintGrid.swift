import CGtk
import Storefront

/// The shop's prints in recycled cells.
@MainActor
final class PrintGrid {
  let widget: Widget
  var onOpen: ((Item) -> Void)?
  private(set) var cellsMade = 0
  private(set) var binds = 0
  private var items: [Item]
  private let grid: Widget
  /// The cells that GTK has filled. GTK fills many more cells than are visible.
  private var filled: [OpaquePointer: PrintCell] = [:]
  private static let columnWidth = 216

  init(_ items: [Item]) {
    self.items = items
    // GTK's list needs an object for each item. The position identifies the item.
    let positions = made(gtk_string_list_new(nil))
    for _ in items { gtk_string_list_append(positions, "") }
    let factory = made(gtk_signal_list_item_factory_new())
    grid = made(gtk_grid_view_new(made(gtk_no_selection_new(positions)), factory)).styled("prints")
    gtk_grid_view_set_single_click_activate(grid.object, 1)
    widget = made(gtk_scrolled_window_new()).expanding()
    gtk_scrolled_window_set_policy(widget.object, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
    gtk_scrolled_window_set_child(widget.object, grid)

    onArgument("setup", of: factory) { [weak self] in self?.makeCell(in: $0) }
    onArgument("bind", of: factory) { [weak self] in self?.fillCell(in: $0) }
    onArgument("unbind", of: factory) { [weak self] in self?.filled.removeValue(forKey: $0) }
    onPosition("activate", of: grid.object) { [weak self] in self?.open($0) }
    // No child may be added while GTK allocates sizes, so the columns change a moment later.
    on("changed", of: horizontal) { [weak self] in Task { self?.fitColumns() } }
    setColumns(5)
  }

  private func makeCell(in slot: OpaquePointer) {
    let cell = PrintCell()
    cellsMade += 1
    g_object_set_data_full(slot.asObject, "cell", Unmanaged.passRetained(cell).toOpaque(), releaseObject)
    gtk_list_item_set_child(slot, cell.widget)
  }

  private func fillCell(in slot: OpaquePointer) {
    guard let data = g_object_get_data(slot.asObject, "cell") else { return }
    // The pointer is valid, because `makeCell` stored the cell under this name.
    let cell = Unmanaged<PrintCell>.fromOpaque(data).takeUnretainedValue()
    cell.show(items[Int(gtk_list_item_get_position(slot))])
    filled[slot] = cell
    binds += 1
  }

  /// Shows the prints of a reloaded feed, which has the same number of items in the same order.
  func replace(with items: [Item]) {
    guard items.count == self.items.count else { return }
    self.items = items
    for slot in filled.keys { fillCell(in: slot) }
  }

  private func open(_ position: Int) {
    guard items.indices.contains(position) else { return }
    onOpen?(items[position])
  }

  /// Sets the maximum number of columns to the number that fits, because GTK creates cells for the maximum.
  private func fitColumns() {
    let width = Int(gtk_adjustment_get_page_size(horizontal.cast()))
    if width > 0 { setColumns(max(2, width / Self.columnWidth)) }
  }

  private func setColumns(_ count: Int) {
    if Int(gtk_grid_view_get_max_columns(grid.object)) == count { return }
    gtk_grid_view_set_max_columns(grid.object, guint(count))
  }

  private var horizontal: OpaquePointer { OpaquePointer(gtk_scrolled_window_get_hadjustment(widget.object)) }
}

extension PrintGrid {
  /// The visible cells, in the order of their items.
  var visibleCells: [PrintCell] {
    let height = Float(gtk_widget_get_height(widget))
    return filled.values.filter { cell in
      var bounds = graphene_rect_t()
      guard gtk_widget_get_mapped(cell.widget) != 0, gtk_widget_compute_bounds(cell.widget, widget, &bounds) != 0 else { return false }
      return bounds.origin.y < height && bounds.origin.y + bounds.size.height > 0 && bounds.size.height > 0
    }
    .sorted { ($0.item?.id ?? 0) < ($1.item?.id ?? 0) }
  }

  /// The scroll position, from 0 to 1.
  var scrolled: Double {
    get { end > 0 ? gtk_adjustment_get_value(vertical) / end : 0 }
    set { gtk_adjustment_set_value(vertical, newValue * end) }
  }

  /// Opens an item, like a click on its cell.
  func activate(_ position: Int) {
    gtk_widget_activate_action_variant(grid, "list.activate-item", g_variant_new_uint32(guint32(position)))
  }

  private var vertical: UnsafeMutablePointer<GtkAdjustment>? { gtk_scrolled_window_get_vadjustment(widget.object) }
  private var end: Double { gtk_adjustment_get_upper(vertical) - gtk_adjustment_get_page_size(vertical) }
}
