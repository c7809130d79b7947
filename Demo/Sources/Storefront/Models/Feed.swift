import FutureImage

/// What the shop has on sale.
public struct Feed: Decodable, Sendable {
  public let items: [Item]

  /// Decodes a feed whose pictures `loader` will fetch.
  public init(json: Data, loader: FutureImage.Loader) throws {
    let decoder = JSONDecoder()
    decoder.userInfo[FutureImage.loaderKey] = loader
    self = try decoder.decode(Feed.self, from: json)
  }

  /// Gets and decodes a feed, off the main thread.
  /// - Throws: ``FutureImage/Failure`` from the exchange, `DecodingError`.
  public static func load(from url: URL, loader: FutureImage.Loader) async throws -> Feed {
    let answer = Answer()
    try await loader.configuration.fetcher.fetch(FutureImage.Request(url: url)) { event in
      switch event {
      case .response(let response):
        guard response.status == 200 else { throw FutureImage.Failure(.status(response.status), source: url.absoluteString) }
      case .bytes(let bytes): answer.body.append(bytes)
      }
    }
    return try Feed(json: answer.body, loader: loader)
  }

  private final class Answer: @unchecked Sendable {
    // Sendable: a fetcher hands events on one after the other, and returns after the last.
    var body = Data()
  }
}
