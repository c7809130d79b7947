import Foundation

#if canImport(AppKit) && !canImport(UIKit)
import AppKit
#endif

/// Finds named images in bundles, and retains them until memory runs low.
// Unchecked, because of the table, which is read and written only inside the lock.
final class NamedImages: @unchecked Sendable {
  static let shared = NamedImages(notifications: .default)

  /// UIKit's name for the notification of low memory. In the module UIKitStandIn, the notification has the same name.
  static let memoryWarning = Notification.Name("UIApplicationDidReceiveMemoryWarningNotification")

  private struct Key: Hashable {
    let bundle: String?
    let name: String
  }

  private let lock = NSLock()
  private var images: [Key: BaseImage] = [:]

  init(notifications: NotificationCenter) {
    // The shared object and its observation exist as long as the program runs.
    _ = notifications.addObserver(
      forName: Self.memoryWarning, object: nil, queue: nil
    ) { [weak self] _ in self?.removeAll() }
    #if canImport(CoreGraphics)
    pressure.setEventHandler { [weak self] in self?.removeAll() }
    pressure.resume()
    #endif
  }

  #if canImport(CoreGraphics)
  /// The Mac's report that memory runs low.
  private let pressure = DispatchSource.makeMemoryPressureSource(eventMask: [.warning, .critical], queue: .global())

  /// Searches with AppKit, which reads asset catalogs, too.
  private static func find(_ name: String, in bundle: Bundle?) -> BaseImage? {
    for bundle in bundle.map({ [$0] }) ?? [.main] + packageBundles {
      if let image = bundle.image(forResource: name).flatMap({ BaseImage($0) }) { return image }
    }
    return nil
  }

  /// The bundles with the resources of packages. SwiftPM puts the resources of each target into `Package_Target.bundle`, in the app's
  /// resources or beside the program.
  private static var packageBundles: [Bundle] {
    let folders = Set([Bundle.main.bundleURL, Bundle.main.resourceURL].compactMap(\.self))
    let siblings = folders.flatMap { (try? FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)) ?? [] }
    return siblings.filter { $0.pathExtension == "bundle" }.sorted { $0.path < $1.path }.compactMap { Bundle(url: $0) }
  }
  #else
  private static func find(_ name: String, in bundle: Bundle?) -> BaseImage? { find(name, in: directories(of: bundle)) }
  #endif

  func image(named name: String, in bundle: Bundle?) -> BaseImage? {
    let key = Key(bundle: bundle?.bundlePath, name: name)
    if let image = lock.withLock({ images[key] }) { return image }
    // The file is read outside the lock, so that a large file does not block all callers. If two threads read the same file at the same
    // time, the first result is retained.
    guard let image = Self.find(name, in: bundle) else { return nil }
    return lock.withLock {
      if let first = images[key] { return first }
      images[key] = image
      return image
    }
  }

  func removeAll() {
    let old = lock.withLock {
      defer { images = [:] }
      return images
    }
    // The images are released here, outside the lock, because a `deinit` may run.
    withExtendedLifetime(old) {}
  }

  /// Returns 2 or 3 for `name@2x.png` and `name@3x.png`, otherwise 1.
  static func scale(ofFileNamed path: String) -> CGFloat {
    let stem = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    return stem.hasSuffix("@2x") ? 2 : stem.hasSuffix("@3x") ? 3 : 1
  }

  #if !canImport(CoreGraphics)
  private static func find(_ name: String, in directories: [URL]) -> BaseImage? {
    let files = candidates(for: name)
    for directory in directories {
      for file in files {
        let path = directory.appendingPathComponent(file).path
        if let image = BaseImage(contentsOfFile: path) { return image }
      }
    }
    return nil
  }

  /// Returns the file names in order of preference. Scale 1 comes first, because it is the scale of the screen in UIKitStandIn.
  private static func candidates(for name: String) -> [String] {
    let given = name as NSString
    let isWhole = ["png", "jpg", "jpeg"].contains(given.pathExtension.lowercased())
    let stem = isWhole ? given.deletingPathExtension : name
    let endings = isWhole ? ["." + given.pathExtension] : ["", ".png", ".jpg", ".jpeg"]
    return ["", "@2x", "@3x"].flatMap { scale in endings.map { stem + scale + $0 } }
  }

  /// Returns the folders to search. SwiftPM puts each target's resources into `Package_Target.resources` beside the program.
  private static func directories(of bundle: Bundle?) -> [URL] {
    if let bundle, bundle !== Bundle.main { return [bundle.resourceURL ?? bundle.bundleURL] }
    let main = Bundle.main
    let siblings = (try? FileManager.default.contentsOfDirectory(at: main.bundleURL, includingPropertiesForKeys: nil)) ?? []
    let packages = siblings.filter { $0.pathExtension == "resources" }.sorted { $0.path < $1.path }
    return [main.resourceURL ?? main.bundleURL] + packages
  }
  #endif
}
