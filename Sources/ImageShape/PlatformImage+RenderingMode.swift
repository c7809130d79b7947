extension PlatformImage {
  /// Whether a view draws an image's colors or fills its shape with a tint, with UIKit's raw values.
  public enum RenderingMode: Int, Sendable {
    case automatic, alwaysOriginal, alwaysTemplate
  }
}
