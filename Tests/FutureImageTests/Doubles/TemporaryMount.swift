#if canImport(UIKitStandIn) && !canImport(UIKit)
import Foundation
import Glibc

/// A file system in memory, as small as a test needs it, mounted while the object exists. Requires root, and is not available in every
/// container.
final class TemporaryMount: Sendable {
  let url: URL
  private let temporary: TemporaryDirectory

  /// - Throws: a `POSIXError` if mounting is not allowed.
  init(_ options: String) throws {
    temporary = try TemporaryDirectory()
    url = temporary.url
    guard mount("tmpfs", url.path, "tmpfs", 0, options) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EPERM) }
  }

  deinit {
    umount2(url.path, Int32(MNT_DETACH))
  }

  func makeReadOnly() throws {
    guard mount("tmpfs", url.path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EPERM)
    }
  }

  /// Returns nil, and prints a line with the reason, if mounting is not allowed.
  static func ifAllowed(_ options: String) -> TemporaryMount? {
    do {
      return try TemporaryMount(options)
    } catch {
      print("No file system may be mounted here (\(error)): this fault is tried by the faulty file system only.")
      return nil
    }
  }
}
#endif
