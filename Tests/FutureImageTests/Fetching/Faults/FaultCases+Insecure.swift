#if canImport(CoreGraphics)
extension FaultCase {
  /// The cases of TLS. They are not run, because an app cannot start a server that supports TLS.
  static let secure: [FaultCase] = [
    (8, "a redirect from https to http"), (25, "a certificate that is not trusted"), (39, "a version of TLS that is too old")
  ].map { number, name in FaultCase(number, name, missing: "an app cannot start nginx") { _ in "" } }
}
#endif
