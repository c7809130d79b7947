// Declarations by which widgets determine how images are drawn. Facts: Apple docs: WidgetKit and SwiftUI (each declaration's page). There
// is no WidgetKit on tvOS.
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
  // The result is a view, and not an image.
  @available(iOS 18, macOS 15, visionOS 26, *) public func widgetAccentedRenderingMode(_ renderingMode: WidgetAccentedRenderingMode?) -> some View { self }
}
extension EnvironmentValues {
  public var widgetRenderingMode: WidgetRenderingMode { get { .fullColor } set {} }
  public var showsWidgetContainerBackground: Bool { false }
}
public protocol TimelineEntry { var date: Date { get } }
public struct TimelineReloadPolicy: Equatable, Sendable {
  public static let atEnd = Self(), never = Self()
  public static func after(_ date: Date) -> Self { Self() }
}
public struct Timeline<EntryType: TimelineEntry> {
  public init(entries: [EntryType], policy: TimelineReloadPolicy) {}
}
public struct TimelineProviderContext {
  public let isPreview = false
  public let displaySize = CGSize.zero
}
public protocol TimelineProvider {
  associatedtype Entry: TimelineEntry
  typealias Context = TimelineProviderContext
  func placeholder(in context: Context) -> Entry
  @preconcurrency func getSnapshot(in context: Context, completion: @escaping @Sendable (Entry) -> Void)
  @preconcurrency func getTimeline(in context: Context, completion: @escaping @Sendable (Timeline<Entry>) -> Void)
}
extension View { @MainActor @preconcurrency public func widgetAccentable(_ accentable: Bool = true) -> some View { self } }
