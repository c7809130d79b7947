import Foundation
import FutureImage

/// The cost of the loader's queue with as many hosts as images, compared with one host. The time is measured from the creation of the
/// futures until their bytes arrive, without a network.
extension Benchmark {
  static let hosts = Benchmark(name: "hosts") {
    let count = Effort.some(10_000)
    let own = (0..<count).map { Samples.url($0, host: "\($0).example.com") }
    let shared = (0..<count).map { Samples.url($0, host: "example.com") }
    let body = try Pictures.small(0)
    let comparison = try await Comparison(rounds: 7) {
      await load(own, body)
    } reference: {
      await load(shared, body)
    }
    return [Row("hosts, \(count) images on as many", comparison, target: 1.2, unit: "ms", scale: 1e3, note: "reference: on one host")]
  }

  @MainActor private static func load(_ urls: [URL], _ body: Data) async -> Double {
    let fetcher = ReadyFetcher(body: body)
    var configuration = FutureImage.Loader.Configuration()
    configuration.fetcher = fetcher
    configuration.diskCache = nil
    // One host gets as many slots as all hosts together.
    configuration.maxTransfersPerHost = configuration.maxTransfers
    let loader = FutureImage.Loader(configuration)
    return await wallTime {
      let futures = urls.map { FutureImage(at: $0, priority: .high, loader: loader) }
      await loader.waitUntilIdle()
      withExtendedLifetime(futures) {}
    }
  }
}

/// A fetcher that delivers every image at once.
private struct ReadyFetcher: FutureImage.Fetcher {
  let body: Data

  func fetch(_ request: FutureImage.Request, receive: @escaping FutureImage.Receive) async throws {
    try receive(.response(FutureImage.Response(status: 200, expectedBytes: body.count)))
    try receive(.bytes(body))
  }
}
