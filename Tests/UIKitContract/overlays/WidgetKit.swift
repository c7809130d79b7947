// Declarations with which widgets say how images are drawn. Facts: Apple docs: WidgetKit and SwiftUI (each declaration's page). There is no WidgetKit on tvOS.
import SwiftUI

@available(iOS 18, macOS 15, visionOS 26, *) public struct WidgetAccentedRenderingMode: Sendable {
  public static let accented = Self(), accentedDesaturated = Self(), desaturated = Self(), fullColor = Self()
}
public struct WidgetRenderingMode: Equatable, CustomStringConvertible, Sendable {
  public static var fullColor: Self { Self() }
  public static var accented: Self { Self() }
  public static var vibrant: Self { Self() }
  public var description: String { "" }
}
extension Image {
  // A view, and no longer an image.
  @available(iOS 18, macOS 15, visionOS 26, *) public func widgetAccentedRenderingMode(_ renderingMode: WidgetAccentedRenderingMode?) -> some View { self }
}
extension EnvironmentValues {
  public var widgetRenderingMode: WidgetRenderingMode { get { .fullColor } set {} }
  public var showsWidgetContainerBackground: Bool { false }
}
extension View { @MainActor @preconcurrency public func widgetAccentable(_ accentable: Bool = true) -> some View { self } }
