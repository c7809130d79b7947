@testable import FutureImage

extension FutureImage.Phase {
  var failure: FutureImage.Failure? {
    if case .failed(let failure) = self { failure } else { nil }
  }

  var name: String {
    switch self {
    case .waiting: "waiting"
    case .loading: "loading"
    case .fetched: "fetched"
    case .ready: "ready"
    case .failed: "failed"
    }
  }
}
