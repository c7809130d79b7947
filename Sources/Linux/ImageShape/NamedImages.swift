import Foundation

/// Finds named images in bundles, and retains them until memory runs low.
// Unchecked, because of the table: it is read and written under the lock only.
final class NamedImages: @unchecked Sendable {
  static let shared = NamedImages(notifications: .default)

  /// UIKit's name for the notification, which the stand-in uses, too.
  static let memoryWarning = Notification.Name("UIApplicationDidReceiveMemoryWarningNotification")

  private struct Key: Hashable {
    let bundle: String?
    let name: String
  }

  private let lock = NSLock()
  private var images: [Key: PlatformImage] = [:]

  init(notifications: NotificationCenter) {
    // The shared object lives as long as the program, and so does the observation.
    _ = notifications.addObserver(
      forName: Self.memoryWarning, object: nil, queue: nil
    ) { [weak self] _ in self?.removeAll() }
  }

  func image(named name: String, in bundle: Bundle?) -> PlatformImage? {
    let key = Key(bundle: bundle?.bundlePath, name: name)
    if let image = lock.withLock({ images[key] }) { return image }
    // Decoded outside the lock, so that one large file does not block all callers. Of two concurrent decodes, the first is kept.
    guard let image = Self.find(name, in: Self.directories(of: bundle)) else { return nil }
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
    // Released here, outside the lock, because a `deinit` may run.
    withExtendedLifetime(old) {}
  }

  /// 2 or 3 for `name@2x.png` and `name@3x.png`, otherwise 1.
  static func scale(ofFileNamed path: String) -> CGFloat {
    let stem = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    return stem.hasSuffix("@2x") ? 2 : stem.hasSuffix("@3x") ? 3 : 1
  }

  private static func find(_ name: String, in directories: [URL]) -> PlatformImage? {
    let files = candidates(for: name)
    for directory in directories {
      for file in files {
        let path = directory.appendingPathComponent(file).path
        if let image = PlatformImage(contentsOfFile: path) { return image }
      }
    }
    return nil
  }

  /// The file names in order of preference: the stand-in's screen has scale 1.
  private static func candidates(for name: String) -> [String] {
    let given = name as NSString
    let isWhole = ["png", "jpg", "jpeg"].contains(given.pathExtension.lowercased())
    let stem = isWhole ? given.deletingPathExtension : name
    let endings = isWhole ? ["." + given.pathExtension] : ["", ".png", ".jpg", ".jpeg"]
    return ["", "@2x", "@3x"].flatMap { scale in endings.map { stem + scale + $0 } }
  }

  /// The folders to search. SwiftPM puts each target's resources into `Package_Target.resources` beside the program.
  private static func directories(of bundle: Bundle?) -> [URL] {
    if let bundle, bundle !== Bundle.main { return [bundle.resourceURL ?? bundle.bundleURL] }
    let main = Bundle.main
    let siblings = (try? FileManager.default.contentsOfDirectory(at: main.bundleURL, includingPropertiesForKeys: nil)) ?? []
    let packages = siblings.filter { $0.pathExtension == "resources" }.sorted { $0.path < $1.path }
    return [main.resourceURL ?? main.bundleURL] + packages
  }
}
