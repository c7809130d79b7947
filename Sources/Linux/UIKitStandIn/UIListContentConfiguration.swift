import Foundation

/// The content of a list row as a value, which consists of an image and two texts.
public struct UIListContentConfiguration: UIContentConfiguration, Hashable {
  public struct ImageProperties: Hashable {
    /// The maximum size in points; a side of zero is no limit. A larger image is scaled down without a change of its aspect ratio.
    public var maximumSize = CGSize.zero
    /// The size of the space that is reserved for the image, in points. It does not change the image's size.
    public var reservedLayoutSize = CGSize.zero
    public var cornerRadius: CGFloat = 0

    public static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.maximumSize == rhs.maximumSize && lhs.reservedLayoutSize == rhs.reservedLayoutSize && lhs.cornerRadius == rhs.cornerRadius
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(cornerRadius) }
  }

  public var image: UIImage?
  public var text: String?
  public var secondaryText: String?
  public var imageProperties = ImageProperties()

  public static func cell() -> UIListContentConfiguration { UIListContentConfiguration() }
  public static func subtitleCell() -> UIListContentConfiguration { UIListContentConfiguration() }
  public static func plainHeader() -> UIListContentConfiguration { UIListContentConfiguration() }

  public func makeContentView() -> any UIView & UIContentView { UIListContentView(configuration: self) }
  public func updated(for state: any UIConfigurationState) -> UIListContentConfiguration { self }
}
