import CGtk
import Storefront

/// The shop's window. It has the grid, and a header with a status line that is always current. A print's page or the settings cover the
/// grid.
@MainActor
final class ShopWindow {
  let widget: Widget
  let detail = DetailPage()
  private(set) var grid: PrintGrid?
  private(set) var settings: SettingsPage?
  /// Called when the user reloads the feed.
  var onReload: (() -> Void)?
  private let stack = made(gtk_stack_new())
  private let title = label("Storefront").styled("window-title").aligned(GTK_ALIGN_CENTER)
  private let status = label("Opening …").styled("window-status").aligned(GTK_ALIGN_CENTER)
  private let reloadButton = made(gtk_button_new_from_icon_name("view-refresh-symbolic")).styled("flat")
  private let settingsButton = made(gtk_button_new_from_icon_name("emblem-system-symbolic")).styled("flat")
  private let backButton = made(gtk_button_new_from_icon_name("go-previous-symbolic")).styled("flat")

  init() {
    widget = made(gtk_window_new())
    gtk_window_set_title(widget.cast(), "Storefront")
    gtk_window_set_default_size(widget.cast(), 1_180, 840)
    let header = made(gtk_header_bar_new())
    gtk_header_bar_set_title_widget(header.object, column(title, status).aligned(GTK_ALIGN_CENTER, GTK_ALIGN_CENTER))
    gtk_header_bar_pack_start(header.object, backButton)
    gtk_header_bar_pack_end(header.object, settingsButton)
    gtk_header_bar_pack_end(header.object, reloadButton)
    gtk_window_set_titlebar(widget.cast(), header)
    gtk_window_set_child(widget.cast(), stack)
    gtk_widget_set_tooltip_text(backButton, "Back")
    gtk_widget_set_tooltip_text(reloadButton, "Load the feed again")
    gtk_widget_set_tooltip_text(settingsButton, "Settings")
    for button in [backButton, reloadButton, settingsButton] { button.isVisible = false }
    gtk_stack_set_transition_duration(stack.object, 150)
    turnsAtOnce = false

    let spinner = made(gtk_spinner_new()).sized(32, 32).aligned(GTK_ALIGN_CENTER, GTK_ALIGN_CENTER)
    gtk_spinner_start(spinner.object)
    gtk_stack_add_child(stack.object, spinner)
    gtk_stack_add_named(stack.object, detail.widget, "detail")
    on("clicked", of: backButton.object) { [weak self] in self?.back() }
    on("clicked", of: reloadButton.object) { [weak self] in self?.onReload?() }
    on("clicked", of: settingsButton.object) { [weak self] in self?.openSettings() }
    onArgument("notify::transition-running", of: stack.object) { [weak self] _ in self?.emptyDetailIfHidden() }
    on("destroy", of: widget.object) { MainLoop.quit() }
    goBackOnEscape()
    gtk_window_present(widget.cast())
  }

  func show(_ items: [Item], of store: Store) {
    let settings = SettingsPage(store)
    self.settings = settings
    gtk_stack_add_named(stack.object, settings.widget, "settings")
    let grid = PrintGrid(items)
    grid.onOpen = { [weak self] in self?.open($0) }
    self.grid = grid
    gtk_stack_add_named(stack.object, grid.widget, "grid")
    gtk_stack_set_visible_child_name(stack.object, "grid")
    reloadButton.isVisible = true
    settingsButton.isVisible = true
  }

  func say(_ text: String) { gtk_label_set_text(status.object, text) }

  func open(_ item: Item) {
    detail.show(item)
    turn(to: "detail", title: item.title)
  }

  func openSettings() {
    turn(to: "settings", title: "Settings")
    Task { await settings?.refresh() }
  }

  func back() {
    guard isShowingDetail || isShowingSettings else { return }
    turn(to: "grid", title: "Storefront")
    emptyDetailIfHidden()
  }

  /// Whether pages change without a fade.
  var turnsAtOnce: Bool {
    get { gtk_stack_get_transition_type(stack.object) == GTK_STACK_TRANSITION_TYPE_NONE }
    set { gtk_stack_set_transition_type(stack.object, newValue ? GTK_STACK_TRANSITION_TYPE_NONE : GTK_STACK_TRANSITION_TYPE_CROSSFADE) }
  }

  var isShowingDetail: Bool { gtk_stack_get_visible_child(stack.object) == detail.widget }
  var isShowingSettings: Bool { gtk_stack_get_visible_child(stack.object) == settings?.widget }
  var isTurning: Bool { gtk_stack_get_transition_running(stack.object) != 0 }

  private func turn(to page: String, title text: String) {
    gtk_label_set_text(title.object, text)
    gtk_stack_set_visible_child_name(stack.object, page)
    backButton.isVisible = page != "grid"
    for button in [reloadButton, settingsButton] { button.isVisible = page == "grid" }
  }

  private func emptyDetailIfHidden() {
    if !isShowingDetail, !isTurning { detail.empty() }
  }

  private func goBackOnEscape() {
    let call: @MainActor @convention(c) (Widget?, OpaquePointer?, gpointer?) -> gboolean = { _, _, data in
      Handler<@MainActor () -> Void>.of(data)?.body()
      return 1
    }
    let handler = Handler<@MainActor () -> Void> { [weak self] in self?.back() }
    let action = gtk_callback_action_new(unsafeBitCast(call, to: GtkShortcutFunc.self), handler.retained, releaseObject)
    let controller = gtk_shortcut_controller_new()
    gtk_shortcut_controller_add_shortcut(controller, gtk_shortcut_new(gtk_shortcut_trigger_parse_string("Escape|<Alt>Left"), action))
    gtk_widget_add_controller(widget, controller)
  }
}
