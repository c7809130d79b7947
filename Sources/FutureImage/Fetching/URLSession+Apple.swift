#if canImport(UIKit)
extension URLRequest {
  mutating func keepOff(_ networks: FutureImage.NetworkTraits) {
    allowsConstrainedNetworkAccess = !networks.contains(.constrained)
    allowsExpensiveNetworkAccess = !networks.contains(.expensive)
  }
}

extension URLError {
  /// There was a network, and the request did not want it.
  var isOfAvoidedNetwork: Bool { networkUnavailableReason == .constrained || networkUnavailableReason == .expensive }
}
#endif
