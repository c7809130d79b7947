import Foundation

/// The common part of table and collection cells: the content configuration, and the view that shows it.
///
/// As Apple documents it, a content configuration is applied to the content view if the view supports it. Otherwise, it replaces the view.
/// When the state of a cell changes, a configuration that updates itself is updated and set on the cell again.
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
