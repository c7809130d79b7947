#if !canImport(CoreGraphics)
import Foundation
import Glibc

/// A small file system in memory, which is mounted while this object exists. Mounting requires root, and not every container permits it.
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

  /// Mounts a file system. If mounting is not allowed, prints the reason and returns nil.
  static func ifAllowed(_ options: String) -> TemporaryMount? {
    do {
      return try TemporaryMount(options)
    } catch {
      print("No file system can be mounted here (\(error)), so only FaultyFileSystem tests this fault.")
      return nil
    }
  }
}
#endif
