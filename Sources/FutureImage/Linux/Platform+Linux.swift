// The replacements for Apple's frameworks on Linux, except for the fetcher and the decoder in this folder.
#if !canImport(CoreGraphics)
import CLinuxCalls
import FoundationNetworking

let platformFetcher: any FutureImage.Fetcher = FutureImage.CurlFetcher()
func makePlatformDecoder(_ limits: FutureImage.DecodingLimits) -> any FaultReportingDecoder { LinuxDecoder(limits: limits) }
/// The MIME types of the formats that can be decoded.
let platformImageTypes = Set(ImageCodecs.formats.map(\.mimeType))
/// Returns nil. A program with a user interface learns from its toolkit when a network returns, and calls
/// ``FutureImage/Loader/retryFailed()``.
func watchPlatformNetwork(onReturn: @escaping @Sendable () -> Void) -> (any Sendable)? { nil }
/// Whether the alpha of all pixels is 255. A bitmap always has an alpha channel.
func isOpaque(_ bitmap: CGImage) -> Bool {
  bitmap.withRGBA { bytes in stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 } }
}

/// Writes the text to standard error, where a developer sees it.
func writePlatformLog(_ text: String) {
  // Foundation's file handle traps if it cannot write.
  _ = Array((text + "\n").utf8).withUnsafeBytes { clinux_write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

/// The name of the program, which is its bundle identifier or the name of its file.
///
/// A program may continue to run after its file was deleted, as during an upgrade. Foundation's `Bundle.main` traps if the file's folder is
/// gone. If the file is gone, Foundation's process name ends in " (deleted)", because Linux adds this mark to the target of the link
/// `/proc/self/exe`.
func programName() -> String {
  let name = ProcessInfo.processInfo.processName
  let mark = " (deleted)"
  guard name.hasSuffix(mark) else { return bundleIdentifier ?? name }
  return bundleIdentifier ?? String(name.dropLast(mark.count))
}

private var bundleIdentifier: String? {
  guard let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else { return nil }
  guard access((file as NSString).deletingLastPathComponent, F_OK) == 0 else { return nil }
  return Bundle.main.bundleIdentifier
}

/// The bytes that the process may use before the system ends it; nil if only the machine's memory limits the process.
func availableMemory() -> Int? { ControlGroups().memoryLimit }

/// The limits of the process's control groups, which are those of a container or of a service.
///
/// The formats are those of the kernel's documents `cgroup-v2` (`memory.max`) and `cgroup-v1/memory` (`memory.limit_in_bytes`), and of
/// `cgroups(7)`. The limits of all groups above a group apply to that group, too.
struct ControlGroups {
  /// The root of the file system. Tests use another folder.
  var root = ""

  var memoryLimit: Int? {
    guard let groups = text("/proc/self/cgroup") else { return nil }
    var files: [String] = []
    // A line is "hierarchy:controllers:path". In version 2, the hierarchy is 0 and the line names no controllers.
    for line in groups.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { continue }
      if parts[0] == "0", parts[1].isEmpty {
        files += Self.withAncestors(parts[2]).map { "/sys/fs/cgroup\($0)/memory.max" }
      } else if parts[1].split(separator: ",").contains("memory") {
        files += Self.withAncestors(parts[2]).map { "/sys/fs/cgroup/memory\($0)/memory.limit_in_bytes" }
      }
    }
    // A group without a limit has "max" in version 2, which is not a number. In version 1, it has a number that is larger than any
    // machine's memory.
    return files.compactMap { text($0).flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) } }.min()
  }

  /// For "/a/b", returns "", "/a", and "/a/b". In a container, the given path may be a path of the machine. Of the returned paths, only ""
  /// then exists in the container.
  private static func withAncestors(_ path: Substring) -> [String] {
    var paths = [""]
    for name in path.split(separator: "/") { paths.append("\(paths[paths.count - 1])/\(name)") }
    return paths
  }

  private func text(_ path: String) -> String? {
    (try? Data(contentsOf: URL(filePath: root + path))).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// Does nothing. Linux reports memory pressure in files (PSI), which the program may watch.
final class MemoryPressure: Sendable {
  init(_ action: @escaping @Sendable () -> Void) {}
}

extension AppGroup {
  /// Always false, because Linux has no app extensions.
  static var isExtension: Bool { false }

  /// Returns the subfolder of the user's caches folder that is named after the app group. All programs of the user can use this subfolder.
  static func cachesDirectory(_ identifier: String) throws(FutureImage.FileFailure) -> URL {
    let bytes = identifier.utf8
    guard let first = bytes.first, first != UInt8(ascii: "."), !bytes.contains(UInt8(ascii: "/")), !bytes.contains(0) else {
      throw FutureImage.FileFailure(.refused("it is not the name of an app group; use one like group.com.example.shop"), path: identifier)
    }
    let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first ?? FileManager.default.temporaryDirectory
    return caches.appendingPathComponent(identifier, isDirectory: true)
  }
}

/// The reads and lookups use system calls that fail instead of waiting for a disk, so they succeed only for what the system has in memory.
/// Linux has these system calls from version 5.12 on, and no other system has them.
///
/// Such reads fail for files on network disks and on disks that other programs provide. On many kernels, they also fail for files on memory
/// disks (`tmpfs`).
extension POSIXFileSystem {
  func answersAtOnce(_ file: OpenFile) -> Bool {
    // Even at the end of the file, the call first reports whether the disk supports such reads. Reading zero bytes would report nothing.
    var byte: UInt8 = 0
    return clinux_read_cached(file.descriptor, &byte, 1) >= 0
  }

  func openAtOnce(_ path: String) -> OpenFile? {
    let descriptor = clinux_open_cached(path)
    return descriptor >= 0 ? OpenFile(descriptor: descriptor, path: path) : nil
  }

  /// Writes as `write(2)` does. If a file grows beyond the limit of the process (`ulimit -f`), the write fails with `EFBIG` and does not
  /// raise SIGXFSZ, which would end the program.
  func writeWithoutSignal(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    clinux_write(descriptor, bytes.baseAddress, bytes.count)
  }

  var knowsMissing: Bool { true }

  func isKnownMissing(_ path: String) -> Bool { clinux_is_known_missing(path) }

  func readAtOnce(_ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    let count = clinux_read_cached(file.descriptor, buffer.baseAddress, buffer.count)
    return count >= 0 ? count : nil
  }
}

extension URLRequest {
  /// Does nothing, because the system does not know what a network costs. The loader checks the app's setting before it makes a request.
  func keepOff(_ networks: Set<FutureImage.NetworkTrait>) {}
}

extension URLError {
  var isOfAvoidedNetwork: Bool { false }
}

extension FutureImage.PixelBuffer {
  package init?(_ image: CGImage, scale: CGFloat) {
    self.init(width: image.width, height: image.height, scale: scale, bytes: image.withRGBA { Array($0) })
  }

  package func makeImage() -> CGImage? { CGImage(width: width, height: height, rgba: bytes) }
}

extension CGImage {
  /// Returns the image, reduced if it is larger than the size in pixels.
  /// - Throws: `.outOfMemory`.
  func forDisplay(within size: FutureImage.PixelSize) throws(FutureImage.Failure) -> CGImage {
    guard width > size.width || height > size.height else { return self }
    let whole = SIMD2(Double(width), Double(height))
    guard
      let reduced = FutureImage.PixelBuffer(self, scale: 1)?
        .resampled(origin: .zero, extent: whole, width: size.width, height: size.height)?.makeImage()
    else { throw FutureImage.Failure(.outOfMemory) }
    return reduced
  }
}
#endif

#if canImport(UIKitStandIn)
let platformMemoryWarning: Notification.Name? = UIApplication.didReceiveMemoryWarningNotification
let platformBackground: Notification.Name? = UIApplication.didEnterBackgroundNotification
/// Returns a timer of the loader's clock. A toolkit draws a new frame at the next refresh of its display.
@MainActor func makeFrameTimer(_ clock: any Clock<Duration>) -> any FrameTimer { ClockTimer(clock) }
/// Always false, because only a toolkit knows the setting.
@MainActor var reducesMotion: Bool { false }
/// Always true, because Linux has no such setting.
@MainActor var playsAnimatedImages: Bool { true }

package func uprightPNG(of image: UIImage) -> Data? { image.pngData() }
func uprightBitmap(of image: UIImage) -> CGImage? { image.upright }

extension UIView {
  /// Adds the view. The toolkit decides where to draw it.
  func addInTheMiddle(_ view: UIView) { addSubview(view) }
}

/// A recognizer that receives the taps of a view until it is removed. Only the view retains it.
@MainActor final class RetryTap: UITapGestureRecognizer {
  var receivedTouches = true

  static func make(_ retry: @escaping @MainActor () -> Void) -> RetryTap { RetryTap(retry) }
}
#endif
