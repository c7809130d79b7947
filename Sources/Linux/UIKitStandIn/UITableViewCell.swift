import Foundation

/// UIKit's table cell, for platforms without UIKit. It has configurations, and lays out its image view.
@MainActor open class UITableViewCell: UIView {
  public typealias ConfigurationUpdateHandler = (_ cell: UITableViewCell, _ state: UICellConfigurationState) -> Void

  /// The arrangement of the cell's own views, with UIKit's raw values.
  public enum CellStyle: Int, Sendable {
    case `default`, value1, value2, subtitle
  }

  private let content = CellContent()
  public let reuseIdentifier: String?
  open var backgroundConfiguration: UIBackgroundConfiguration?
  open var configurationUpdateHandler: ConfigurationUpdateHandler? { didSet { setNeedsUpdateConfiguration() } }
  open var automaticallyUpdatesContentConfiguration = true

  public nonisolated override init() {
    reuseIdentifier = nil
    super.init()
  }

  public override init(frame: CGRect) {
    reuseIdentifier = nil
    super.init(frame: frame)
  }

  public init(style: CellStyle, reuseIdentifier: String?) {
    self.reuseIdentifier = reuseIdentifier
    super.init(frame: .zero)
  }

  public required init?(coder: NSCoder) {
    reuseIdentifier = nil
    super.init(coder: coder)
  }

  public var contentView: UIView { content.view }

  /// The image view of a cell without a content configuration. It is created when this property is first read. The cell's layout sets the
  /// size of the view to that of its image. So an image that gets a size later stays invisible until the next layout.
  open var imageView: UIImageView? {
    if let madeImageView { return madeImageView }
    let view = UIImageView()
    madeImageView = view
    addSubview(contentView)
    contentView.addSubview(view)
    setNeedsLayout()
    return view
  }

  private var madeImageView: UIImageView?

  open override func layoutSubviews() {
    super.layoutSubviews()
    madeImageView?.frame.size = madeImageView?.image?.size ?? .zero
  }

  open var contentConfiguration: (any UIContentConfiguration)? {
    get { content.configuration }
    set { content.show(newValue, in: self) }
  }

  open var isSelected = false { didSet { setNeedsUpdateConfiguration() } }
  open var isHighlighted = false { didSet { setNeedsUpdateConfiguration() } }

  open var configurationState: UICellConfigurationState {
    var state = UICellConfigurationState(traitCollection: traitCollection)
    state.isSelected = isSelected
    state.isHighlighted = isHighlighted
    return state
  }

  /// Updates the configuration at once. UIKit waits for the next layout, but here, only a call of `layoutIfNeeded()` causes a layout.
  open func setNeedsUpdateConfiguration() {
    updateConfiguration(using: configurationState)
  }

  open func updateConfiguration(using state: UICellConfigurationState) {
    if automaticallyUpdatesContentConfiguration, let configuration = contentConfiguration {
      contentConfiguration = configuration.updated(for: state)
    }
    configurationUpdateHandler?(self, state)
  }

  open func defaultContentConfiguration() -> UIListContentConfiguration { .cell() }

  open func prepareForReuse() {}
}
