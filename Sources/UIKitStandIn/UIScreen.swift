import Foundation

/// The screen, which is never visible, at scale 1.
@MainActor public final class UIScreen {
  public static let main = UIScreen()

  /// Points.
  public let bounds = CGRect(x: 0, y: 0, width: 1024, height: 768)
  /// Pixels per point.
  public let scale: CGFloat = 1
  let traitCollection = UITraitCollection(displayScale: 1, style: .light, direction: .leftToRight, idiom: .phone)
  private(set) lazy var imageConfiguration = UIImage.Configuration(traitCollection: traitCollection)

  private init() {}
}
