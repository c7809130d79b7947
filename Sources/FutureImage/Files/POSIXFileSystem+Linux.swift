#if canImport(CLinuxCalls) && !canImport(UIKit)
import CLinuxCalls
import Glibc

/// The calls that use only the system's memory, by Linux calls that fail where they would wait (from 5.12 on; no other system has them).
///
/// Disks on networks and of other programs do not answer such reads, and neither do memory disks (`tmpfs`) on many kernels.
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

  /// Writes as `write(2)` does. A file that grows beyond the limit of the process (`ulimit -f`) fails with `EFBIG` and raises no SIGXFSZ,
  /// which would end the program.
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
#endif
