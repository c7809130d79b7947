import Foundation

/// A view that a collection reuses for one item after another.
@MainActor open class UICollectionReusableView: UIView {
  open func prepareForReuse() {}
}

/// UIKit's collection cell, for platforms without UIKit. It has configurations, but no layout.
@MainActor open class UICollectionViewCell: UICollectionReusableView {
  public typealias ConfigurationUpdateHandler = (_ cell: UICollectionViewCell, _ state: UICellConfigurationState) -> Void

  private let content = CellContent()
  open var backgroundConfiguration: UIBackgroundConfiguration?
  open var configurationUpdateHandler: ConfigurationUpdateHandler? { didSet { setNeedsUpdateConfiguration() } }
  open var automaticallyUpdatesContentConfiguration = true

  public var contentView: UIView { content.view }

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
}
