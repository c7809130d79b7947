#if canImport(UIKit)
extension FaultCase {
  /// Apps cannot start programs, so there is no server that supports TLS.
  static let secure: [FaultCase] = [
    (8, "a redirect from https to http"), (25, "TLS that nobody trusts"), (39, "TLS that is too old")
  ].map { number, name in FaultCase(number, name, missing: "nginx is no app") { _ in "" } }
}
#endif
