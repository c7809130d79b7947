#if canImport(UIKit)
extension URLRequest {
  mutating func keepOff(_ networks: FutureImage.NetworkTraits) {
    allowsConstrainedNetworkAccess = !networks.contains(.constrained)
    allowsExpensiveNetworkAccess = !networks.contains(.expensive)
  }
}

extension URLError {
  /// Whether there was a network, but one that the request avoids.
  var isOfAvoidedNetwork: Bool { networkUnavailableReason == .constrained || networkUnavailableReason == .expensive }
}
#endif
