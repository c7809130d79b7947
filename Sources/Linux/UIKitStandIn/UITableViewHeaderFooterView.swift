import Foundation

/// UIKit's header or footer of a table section, for platforms without UIKit. It has configurations, but no layout.
@MainActor open class UITableViewHeaderFooterView: UIView {
  private let content = CellContent()
  public let reuseIdentifier: String?
  open var backgroundConfiguration: UIBackgroundConfiguration?

  public init(reuseIdentifier: String?) {
    self.reuseIdentifier = reuseIdentifier
    super.init(frame: .zero)
  }

  public required init?(coder: NSCoder) {
    reuseIdentifier = nil
    super.init(coder: coder)
  }

  public var contentView: UIView { content.view }

  open var contentConfiguration: (any UIContentConfiguration)? {
    get { content.configuration }
    set { content.show(newValue, in: self) }
  }

  open func defaultContentConfiguration() -> UIListContentConfiguration { .plainHeader() }

  open func prepareForReuse() {}
}
