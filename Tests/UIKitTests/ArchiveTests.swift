#if canImport(UIKit) || canImport(UIKitStandIn)
import FutureImage
import Testing

/// Futures in archives, and the privacy manifest in the built product.
@MainActor @Suite(.timeLimit(.minutes(5))) struct ArchiveTests {
  private let stage = Stage()

  /// Row 14 of the report that `Tests/first-run` writes. An archive contains names of classes. A process without this library can read an
  /// archive that names only UIImage.
  @Test func `an archive of a future names UIImage and no class of the library`() throws {
    let future = try stage.future(placeholder: Pixels.image())
    let data = try NSKeyedArchiver.archivedData(withRootObject: future, requiringSecureCoding: true)
    let text = String(decoding: data, as: UTF8.self)
    record(14, "the archive names FutureImage", text.contains("FutureImage"))
    #expect(!text.contains("FutureImage"))
    let image = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: UIImage.self, from: data))
    #expect(type(of: image) == UIImage.self)
    #expect(image.size == CGSize(width: 64, height: 48))
  }

  #if canImport(UIKit)
  /// Row 15 of the report that `Tests/first-run` writes.
  @Test func `the built product contains the privacy manifest`() throws {
    var found: [String] = []
    for bundle in [Bundle.main, Bundle(for: FutureImage.self), Bundle(for: BundleMarker.self)] {
      for path in FileManager.default.subpaths(atPath: bundle.bundlePath) ?? [] where path.hasSuffix(".xcprivacy") { found.append(path) }
    }
    record(15, "privacy manifests", Set(found).sorted())
    #expect(!found.isEmpty)
  }
  #endif
}

#if canImport(UIKit)
/// A class whose bundle is the tests' bundle.
private final class BundleMarker {}
#endif
#endif
