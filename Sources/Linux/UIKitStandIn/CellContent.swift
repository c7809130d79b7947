import Foundation

/// The part that table cells and collection cells have in common: the content configuration, and the view that shows it.
///
/// It imitates what Apple documents. If the current content view supports a new content configuration, the configuration is applied to that
/// view. Otherwise, the configuration makes a new view, which replaces the current one.
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
