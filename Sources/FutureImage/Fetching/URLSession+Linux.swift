#if canImport(FoundationNetworking) && !canImport(UIKit)
import FoundationNetworking

extension URLRequest {
  /// Does nothing: the system does not know what a network costs. The loader asks the app before it makes a request.
  func keepOff(_ networks: FutureImage.NetworkTraits) {}
}

extension URLError {
  var isOfAvoidedNetwork: Bool { false }
}
#endif
