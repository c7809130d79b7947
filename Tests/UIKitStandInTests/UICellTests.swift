import Foundation
import Testing
import UIKitStandIn

@MainActor @Suite("Cells", .tags(.threads), .timeLimit(.minutes(5)))
struct UICellTests {
  private func content(_ text: String) -> UIListContentConfiguration {
    var content = UIListContentConfiguration.cell()
    content.text = text
    return content
  }

  private struct Other: UIContentConfiguration {
    func makeContentView() -> any UIView & UIContentView { UIListContentView(configuration: .cell()) }
    func updated(for state: any UIConfigurationState) -> Other { self }
  }

  @Test func `a content view is reused if it supports the new configuration, and replaced otherwise`() {
    let cell = UITableViewCell()
    cell.contentConfiguration = content("a")
    let view = cell.contentView
    #expect(view is UIListContentView && view.superview === cell)
    cell.contentConfiguration = content("b")
    #expect(cell.contentView === view)
    #expect(((view as? UIListContentView)?.configuration as? UIListContentConfiguration)?.text == "b")
    cell.contentConfiguration = Other()
    #expect(cell.contentView !== view && view.superview == nil)
    cell.contentConfiguration = nil
    #expect(!(cell.contentView is UIListContentView))
  }

  @Test func `the content of a list row changes at the next layout`() throws {
    let cell = UITableViewCell()
    var content = content("a")
    content.image = try UIImage(cgImage: #require(CGImage.noise(3, 2, opaque: true)))
    cell.contentConfiguration = content
    #expect((cell.contentView as? UIListContentView)?.displayedImage == nil)
    cell.layoutIfNeeded()
    #expect((cell.contentView as? UIListContentView)?.displayedImage?.size == CGSize(width: 3, height: 2))
  }

  /// A configuration whose text names the state for which it was last updated.
  private struct Updating: UIContentConfiguration {
    var text = ""
    func makeContentView() -> any UIView & UIContentView { UIListContentView(configuration: .cell()) }
    func updated(for state: any UIConfigurationState) -> Updating {
      Updating(text: (state as? UICellConfigurationState)?.isSelected == true ? "selected" : "plain")
    }
  }

  @Test func `a change of a cell's state updates the configuration automatically, and calls the handler`() {
    let cell = UICollectionViewCell()
    cell.contentConfiguration = Updating()
    var states: [Bool] = []
    cell.configurationUpdateHandler = { _, state in states.append(state.isSelected) }
    cell.isSelected = true
    #expect((cell.contentConfiguration as? Updating)?.text == "selected")
    cell.automaticallyUpdatesContentConfiguration = false
    cell.isSelected = false
    #expect((cell.contentConfiguration as? Updating)?.text == "selected")
    #expect(states == [false, true, false])
  }
}
