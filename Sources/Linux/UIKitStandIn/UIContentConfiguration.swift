import Foundation

/// A view's content as a value, for platforms without UIKit.
public protocol UIContentConfiguration {
  @MainActor func makeContentView() -> any UIView & UIContentView
  /// Returns a copy of this configuration for a state. Values that this configuration does not set get their defaults for that state.
  func updated(for state: any UIConfigurationState) -> Self
}

/// A view that shows a content configuration.
@MainActor public protocol UIContentView: NSObjectProtocol {
  var configuration: any UIContentConfiguration { get set }
  func supports(_ configuration: any UIContentConfiguration) -> Bool
}

/// The state on which a configuration may depend.
public protocol UIConfigurationState {
  init(traitCollection: UITraitCollection)
  var traitCollection: UITraitCollection { get set }
}

/// A cell's state.
public struct UICellConfigurationState: UIConfigurationState {
  public var traitCollection: UITraitCollection
  public var isSelected = false
  public var isHighlighted = false

  public init(traitCollection: UITraitCollection) {
    self.traitCollection = traitCollection
  }
}
