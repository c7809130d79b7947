#if canImport(CCurl) && !canImport(UIKit)
import Glibc

/// The process's file descriptors: connections use some, and the program needs others.
enum Descriptors {
  /// The maximum number that looking up a name and connecting by two protocols take. A failed exchange has closed its own by now.
  private static let need = 8

  /// The maximum number of a fetcher's connections, including idle ones: an eighth of the descriptors, since a connection takes several
  /// while it is being made.
  static var connectionLimit: Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return .max }
    return max(1, Int(clamping: limit.rlim_cur) / 8)
  }

  /// Whether there are too few for another connection. libcurl does not report this: it reports an unknown or silent host.
  static var areExhausted: Bool {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    while opened.count < need {
      let descriptor = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else { return errno == EMFILE || errno == ENFILE }
      opened.append(descriptor)
    }
    return false
  }
}
#endif
