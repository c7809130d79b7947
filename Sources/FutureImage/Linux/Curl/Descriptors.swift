#if canImport(CCurl) && !canImport(UIKit)
/// The process's file descriptors, which both the connections and the rest of the program need.
enum Descriptors {
  /// The maximum number of descriptors that one exchange needs to look up a name and to connect by two protocols.
  private static let need = 8

  /// The maximum number of a fetcher's connections, including idle connections. It is an eighth of the descriptors, because a connection
  /// takes several descriptors while it is being made.
  static var connectionLimit: Int {
    var limit = rlimit()
    guard readDescriptorLimit(&limit) else { return .max }
    return max(1, Int(clamping: limit.rlim_cur) / 8)
  }

  /// Whether there are too few descriptors for an exchange. If an exchange has failed for this reason, libcurl reports an unknown or silent
  /// host instead. Read this property after such a failure. The exchange has then closed its own descriptors, so all that it needs must be
  /// free.
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
