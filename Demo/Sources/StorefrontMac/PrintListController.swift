#if canImport(AppKit) && !canImport(UIKit)
import AppKit
import Storefront

/// The shop's prints in a table. A double click or the return key opens a print.
final class PrintListController: NSViewController, NSTableViewDataSource, NSTableViewDelegate {
  var onOpen: ((Item) -> Void)?
  private let table = PrintTable()
  private var items: [Item] = []

  override func loadView() {
    title = "Storefront"
    table.addTableColumn(NSTableColumn(identifier: PrintRow.identifier))
    table.headerView = nil
    table.rowHeight = PrintRow.height
    table.dataSource = self
    table.delegate = self
    table.target = self
    table.doubleAction = #selector(openSelection)
    let scroll = NSScrollView()
    scroll.documentView = table
    scroll.hasVerticalScroller = true
    view = scroll
  }

  override func viewDidLayout() {
    super.viewDidLayout()
    table.sizeLastColumnToFit()
  }

  func show(_ items: [Item]) {
    self.items = items
    table.reloadData()
  }

  func numberOfRows(in tableView: NSTableView) -> Int { items.count }

  func tableView(_ tableView: NSTableView, viewFor tableColumn: NSTableColumn?, row: Int) -> NSView? {
    // The table returns a row that it recycles, or nil while there is none.
    let cell = tableView.makeView(withIdentifier: PrintRow.identifier, owner: nil) as? PrintRow ?? PrintRow()
    cell.show(items[row])
    return cell
  }

  @objc private func openSelection() {
    guard items.indices.contains(table.selectedRow) else { return }
    onOpen?(items[table.selectedRow])
  }
}

/// A table in which the return key does what a double click does.
private final class PrintTable: NSTableView {
  override func keyDown(with event: NSEvent) {
    guard event.charactersIgnoringModifiers == "\r" else { return super.keyDown(with: event) }
    sendAction(doubleAction, to: target)
  }
}
#endif
