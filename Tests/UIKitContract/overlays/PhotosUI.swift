// Photo pickers. Facts: Apple docs: PhotosUI (each declaration's page). Apple hides the Objective-C classes with the same names from Swift.
// PhotosPicker is in a module that is imported if a file imports both PhotosUI and SwiftUI. There is no PhotosUI on tvOS.
#if canImport(UIKit)
@_exported import UIKit
public typealias _PickerSuperclass = UIViewController
#else
@_exported import AppKit
public typealias _PickerSuperclass = NSViewController
#endif
import SwiftUI
import UniformTypeIdentifiers

// Declarations of the module Photos, which PhotosUI exports.
public class PHPhotoLibrary: NSObject { public class func shared() -> PHPhotoLibrary { fatalError() } }

public struct PHPickerFilter: Equatable, Hashable {
  public static let images = Self(), videos = Self(), livePhotos = Self(), screenshots = Self(), panoramas = Self(), bursts = Self(), depthEffectPhotos = Self()
  public static func any(of subfilters: [PHPickerFilter]) -> PHPickerFilter { Self() }
  public static func all(of subfilters: [PHPickerFilter]) -> PHPickerFilter { Self() }
  public static func not(_ filter: PHPickerFilter) -> PHPickerFilter { Self() }
}
public struct PHPickerConfiguration: Equatable, Hashable {
  public enum AssetRepresentationMode: Int, Sendable { case automatic, current, compatible }
  public enum Selection: Int, Sendable { case `default`, ordered, continuous, continuousAndOrdered }
  public init() {}
  public init(photoLibrary: PHPhotoLibrary) {}
  public var preferredAssetRepresentationMode = AssetRepresentationMode.automatic
  public var selection = Selection.default
  public var selectionLimit = 1
  public var filter: PHPickerFilter?
  public var preselectedAssetIdentifiers: [String] = []
}
public struct PHPickerResult: Equatable, Hashable {
  public let itemProvider: NSItemProvider
  public var assetIdentifier: String? { nil }
}
@MainActor @preconcurrency public protocol PHPickerViewControllerDelegate: AnyObject {
  @MainActor @preconcurrency func picker(_ picker: PHPickerViewController, didFinishPicking results: [PHPickerResult])
}
@MainActor @preconcurrency public class PHPickerViewController: _PickerSuperclass {
  public convenience init(configuration: PHPickerConfiguration) { fatalError() }
  public var configuration: PHPickerConfiguration { .init() }
  public weak var delegate: (any PHPickerViewControllerDelegate)?
  public func deselectAssets(withIdentifiers identifiers: [String]) {}
}

// MARK: in SwiftUI
public struct PhotosPickerItem: Equatable, Hashable, Sendable {
  public struct EncodingDisambiguationPolicy: Equatable, Hashable, Sendable { public static let automatic = Self(), current = Self(), compatible = Self() }
  public init(itemIdentifier: String) {}
  public var itemIdentifier: String? { nil }
  public var supportedContentTypes: [UTType] { [] }
  public func loadTransferable<T: Transferable>(type: T.Type) async throws -> sending T? { nil }
  @discardableResult @preconcurrency public func loadTransferable<T: Transferable>(type: T.Type, completionHandler: @escaping @Sendable (Result<T?, any Error>) -> Void) -> Progress { fatalError() }
}
public struct PhotosPickerSelectionBehavior: Equatable, Hashable, Sendable { public static let `default` = Self(), ordered = Self(), continuous = Self(), continuousAndOrdered = Self() }
@MainActor @preconcurrency public struct PhotosPicker<Label: View>: View {
  public var body: some View { EmptyView() }
  @preconcurrency nonisolated public init(selection: Binding<PhotosPickerItem?>, matching filter: PHPickerFilter? = nil, preferredItemEncoding: PhotosPickerItem.EncodingDisambiguationPolicy = .automatic, @ViewBuilder label: @Sendable () -> Label) {}
  @preconcurrency nonisolated public init(selection: Binding<[PhotosPickerItem]>, maxSelectionCount: Int? = nil, selectionBehavior: PhotosPickerSelectionBehavior = .default, matching filter: PHPickerFilter? = nil, preferredItemEncoding: PhotosPickerItem.EncodingDisambiguationPolicy = .automatic, @ViewBuilder label: @Sendable () -> Label) {}
}
extension PhotosPicker where Label == Text {
  nonisolated public init(_ titleKey: LocalizedStringKey, selection: Binding<PhotosPickerItem?>, matching filter: PHPickerFilter? = nil, preferredItemEncoding: PhotosPickerItem.EncodingDisambiguationPolicy = .automatic) {}
  nonisolated public init(_ titleKey: LocalizedStringKey, selection: Binding<[PhotosPickerItem]>, maxSelectionCount: Int? = nil, selectionBehavior: PhotosPickerSelectionBehavior = .default, matching filter: PHPickerFilter? = nil, preferredItemEncoding: PhotosPickerItem.EncodingDisambiguationPolicy = .automatic) {}
}
