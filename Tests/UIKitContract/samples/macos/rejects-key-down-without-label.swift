// expect: 'keyDown' has been renamed to 'keyDown(with:)'
import AppKit
final class Names: NSTableView {
  override func keyDown(_ event: NSEvent) {}
}
