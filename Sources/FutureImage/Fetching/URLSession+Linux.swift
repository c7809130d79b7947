#if canImport(FoundationNetworking) && !canImport(UIKit)
import FoundationNetworking

extension URLRequest {
  /// Nobody here knows what a network costs: the loader asks the app before it comes to a request.
  func keepOff(_ networks: FutureImage.NetworkTraits) {}
}

extension URLError {
  var isOfAvoidedNetwork: Bool { false }
}
#endif
