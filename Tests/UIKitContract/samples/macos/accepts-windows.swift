// Windows with tables, stacks, and SwiftUI; a menu bar that no nib contains.
// stage: SIL
import SwiftUI

final class Names: NSTableView {
  override func keyDown(with event: NSEvent) {
    guard event.charactersIgnoringModifiers == "\r" else { return super.keyDown(with: event) }
    sendAction(doubleAction, to: target)
  }
  override func mouseDown(with event: NSEvent) { super.mouseDown(with: event) }
}
final class Panel: NSViewController {
  private let table = Names()
  private let button = NSButton(title: "On", target: nil, action: nil)
  override func loadView() {
    let text = NSTextField(wrappingLabelWithString: "Names")
    text.font = .systemFont(ofSize: NSFont.smallSystemFontSize + NSFont.systemFontSize)
    text.lineBreakMode = .byTruncatingMiddle
    button.setButtonType(.toggle)
    table.addTableColumn(NSTableColumn(identifier: NSUserInterfaceItemIdentifier("name")))
    table.headerView = nil
    table.target = self
    table.doubleAction = #selector(open)
    let stack = NSStackView(views: [text, table])
    stack.orientation = .vertical
    stack.alignment = .leading
    stack.distribution = .fill
    stack.spacing = 8
    stack.edgeInsets = NSEdgeInsets(top: 4, left: 4, bottom: 4, right: 4)
    stack.addArrangedSubview(button)
    stack.setCustomSpacing(20, after: text)
    view = stack
  }
  override func viewDidLayout() {
    super.viewDidLayout()
    table.sizeLastColumnToFit()
  }
  @objc private func open() { print(table.clickedRow, table.tableColumns.count, (view as? NSStackView)?.arrangedSubviews.count ?? 0) }
}
@MainActor func opened(_ error: any Error) -> [NSWindow] {
  let shop = NSHostingController(rootView: Text("Shop"))
  shop.sizingOptions = [.minSize]
  shop.sceneBridgingOptions = [.title, .toolbars]
  let hosting = NSHostingView(rootView: Text("Shop"))
  hosting.sizingOptions = .standardBounds
  hosting.sceneBridgingOptions = .all
  let windows = [NSWindow(contentViewController: shop), NSWindow(contentViewController: Panel())]
  var corner = NSPoint.zero
  for window in windows {
    window.setContentSize(NSSize(width: 400, height: 300))
    corner = window.cascadeTopLeft(from: corner)
  }
  let file = NSMenu(title: "File")
  file.addItem(withTitle: "Close", action: #selector(NSWindow.performClose(_:)), keyEquivalent: "w")
  let item = NSMenuItem(title: file.title, action: nil, keyEquivalent: "")
  item.submenu = file
  let bar = NSMenu()
  bar.addItem(item)
  NSApp.mainMenu = bar
  NSApp.activate()
  NSApp.presentError(error)
  return windows
}
