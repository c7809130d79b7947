#if canImport(CCurl) && !canImport(UIKit)
import Glibc

/// The process's file descriptors: connections take some, and the program needs others.
enum Descriptors {
  /// As many as looking up a name and connecting by two protocols take, at the most. An exchange that failed has closed its own by now.
  private static let need = 8

  /// How many connections a fetcher may have, open ones without work included: an eighth of the descriptors, for a connection that is
  /// being made takes several.
  static var connectionLimit: Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return .max }
    return max(1, Int(clamping: limit.rlim_cur) / 8)
  }

  /// Whether there are not enough for another connection. libcurl does not say so: it calls the host unknown, or silent.
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
