import Foundation
import Testing

private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
/// Whether the source files exist. They do not exist on a device.
private let hasSources = FileManager.default.fileExists(atPath: root.appendingPathComponent("Package.swift").path)

/// Compares the privacy manifest with the sources. Apple requires a declared reason for each use of certain APIs, and rejects apps that use
/// such an API without a declared reason. The list of names is in "Describing use of required reason API" in Apple's documentation.
@Suite(.enabled(if: hasSources, "the sources are not on the machine that runs the tests"), .timeLimit(.minutes(5)))
struct PrivacyManifestTests {
  private static let sources = root.appendingPathComponent("Sources")
  private static let file = sources.appendingPathComponent("FutureImage/PrivacyInfo.xcprivacy")
  private static let fileTimestamp = "NSPrivacyAccessedAPICategoryFileTimestamp"

  /// The names of the APIs in each category, as they appear in Swift.
  private static let names = [
    fileTimestamp: [
      "stat", "fstat", "lstat", "fstatat", "getattrlist", "fgetattrlist", "getattrlistat", "getattrlistbulk", "creationDate",
      "modificationDate", "fileModificationDate", "creationDateKey", "contentModificationDate", "contentModificationDateKey"
    ],
    "NSPrivacyAccessedAPICategorySystemBootTime": ["systemUptime", "mach_absolute_time"],
    "NSPrivacyAccessedAPICategoryDiskSpace": [
      "volumeAvailableCapacity", "volumeAvailableCapacityKey", "volumeAvailableCapacityForImportantUsage",
      "volumeAvailableCapacityForImportantUsageKey", "volumeAvailableCapacityForOpportunisticUsage",
      "volumeAvailableCapacityForOpportunisticUsageKey", "volumeTotalCapacity", "volumeTotalCapacityKey", "systemFreeSize", "systemSize",
      "statfs", "fstatfs", "statvfs", "fstatvfs"
    ],
    "NSPrivacyAccessedAPICategoryActiveKeyboards": ["activeInputModes"],
    "NSPrivacyAccessedAPICategoryUserDefaults": ["UserDefaults", "AppStorage"]
  ]

  /// The reasons for each source file that uses such an API. C617.1 covers files in the app's own containers, such as the files of the disk
  /// cache. 3B52.1 covers files that a person picked, because an app may pass their URLs to the library.
  private static let reasons: [String: [String: Set<String>]] = [
    "FutureImage/Caching/CachesDirectory.swift": [fileTimestamp: ["C617.1"]],
    "FutureImage/Fetching/ReadableFile.swift": [fileTimestamp: ["C617.1", "3B52.1"]],
    "FutureImage/Files/POSIXFileSystem.swift": [fileTimestamp: ["C617.1"]]
  ]

  private let manifest: Manifest

  init() throws {
    manifest = try PropertyListDecoder().decode(Manifest.self, from: Data(contentsOf: Self.file))
  }

  @Test func `the manifest declares that the library tracks nothing and collects nothing`() {
    #expect(!manifest.tracks)
    #expect(manifest.trackingDomains.isEmpty)
    #expect(manifest.collectedTypes.isEmpty)
  }

  @Test func `the manifest declares exactly the reasons that this test lists for the library's source files`() {
    let wanted = Self.reasons.values.reduce(into: [String: Set<String>]()) { all, file in all.merge(file) { $0.union($1) } }
    #expect(Dictionary(grouping: manifest.uses, by: \.category).mapValues { $0.map { Set($0.reasons) } } == wanted.mapValues { [$0] })
  }

  @Test func `only the source files in this test's list use APIs that require a declared reason`() throws {
    #expect(try Self.uses() == Self.reasons.mapValues { Set($0.keys) })
  }

  private struct Manifest: Decodable {
    let tracks: Bool
    let trackingDomains: [String]
    let collectedTypes: [[String: String]]
    let uses: [Use]

    enum CodingKeys: String, CodingKey {
      case tracks = "NSPrivacyTracking"
      case trackingDomains = "NSPrivacyTrackingDomains"
      case collectedTypes = "NSPrivacyCollectedDataTypes"
      case uses = "NSPrivacyAccessedAPITypes"
    }

    struct Use: Decodable {
      let category: String
      let reasons: [String]

      enum CodingKeys: String, CodingKey {
        case category = "NSPrivacyAccessedAPIType"
        case reasons = "NSPrivacyAccessedAPITypeReasons"
      }
    }
  }

  /// The categories that each Swift file of the products uses on Apple's platforms.
  private static func uses() throws -> [String: Set<String>] {
    var uses: [String: Set<String>] = [:]
    for path in try ["FutureImage", "FutureImageCache", "FutureImageTesting", "ImageShape"].flatMap(swiftFiles) {
      let words = identifiers(in: try String(contentsOf: sources.appendingPathComponent(path), encoding: .utf8))
      let categories = names.filter { !words.isDisjoint(with: $0.value) }
      if !categories.isEmpty { uses[path] = Set(categories.keys) }
    }
    return uses
  }

  private static func swiftFiles(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: sources.appendingPathComponent(folder).path).flatMap { name in
      let path = "\(folder)/\(name)"
      if name.hasSuffix(".swift") { return [path] }
      return name.contains(".") ? [] : try swiftFiles(in: path)
    }
  }

  /// The identifiers in the text, except those in comments, and except `stat` as the type of a parameter.
  private static func identifiers(in text: String) -> Set<String> {
    let code = text.split(separator: "\n").map { line in
      line.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false)[0].replacing(": stat", with: "")
    }
    return Set(code.flatMap { $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init) })
  }
}
