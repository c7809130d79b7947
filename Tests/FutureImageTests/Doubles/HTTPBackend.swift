import Testing

@testable import FutureImage

/// The HTTP fetchers of this platform. If a fetcher cannot pass a test, the test excludes that fetcher and gives the reason.
enum HTTPBackend: CustomTestStringConvertible, Sendable {
  case curl, urlSession

  static let all: [HTTPBackend] = {
    #if canImport(CCurl) && !canImport(UIKit)
    [.curl, .urlSession]
    #else
    [.urlSession]
    #endif
  }()

  /// The fetcher that loaders use by default.
  static var platform: HTTPBackend { all[0] }

  /// Returns all fetchers except `URLSession` of swift-corelibs-foundation, which cannot pass the test.
  /// - Parameter corelibsFault: the fault of that `URLSession`, which is the reason for the exception.
  static func allBut(corelibsFault: String) -> [HTTPBackend] {
    #if canImport(FoundationNetworking) && !canImport(UIKit)
    all.filter { $0 != .urlSession }
    #else
    all
    #endif
  }

  func makeFetcher(clock: RunningClock = .shared) -> any FutureImage.Fetcher {
    switch self {
    case .urlSession: return FutureImage.URLSessionFetcher(maxConnectionsPerHost: 6, clock: clock)
    case .curl:
      #if canImport(CCurl) && !canImport(UIKit)
      return FutureImage.CurlFetcher(FutureImage.CurlFetcher.Configuration(proxy: .none), clock: clock)
      #else
      return FutureImage.URLSessionFetcher(maxConnectionsPerHost: 6, clock: clock)
      #endif
    }
  }

  var testDescription: String { "\(self)" }
}
