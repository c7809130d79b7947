import Foundation

/// The common part of table and collection cells: configurations of content and background, by the cell's state.
///
/// As Apple documents it, a content configuration is applied to the content view if the view supports it, and replaces the view otherwise.
/// A configuration that updates itself does so when the state changes, and is set on the cell again.
@MainActor final class CellContent {
  private(set) var view = UIView()
  private(set) var configuration: (any UIContentConfiguration)?

  nonisolated init() {}

  func show(_ configuration: (any UIContentConfiguration)?, in cell: UIView) {
    self.configuration = configuration
    if let configuration, let view = view as? any UIContentView, view.supports(configuration) {
      view.configuration = configuration
    } else {
      view.removeFromSuperview()
      view = configuration?.makeContentView() ?? UIView()
      cell.addSubview(view)
    }
  }
}
