extension FutureImage {
  /// Reads `data:` URLs (RFC 2397), base64 or percent-encoded.
  ///
  /// The answer has the media type as its `content-type`: `text/plain;charset=US-ASCII` where the URL names none. Blanks in base64 are
  /// passed over and its padding may be missing.
  public struct DataFetcher: Fetcher {
    public init() {}

    /// - Throws: ``FutureImage/Failure`` with `.malformed` if the URL cannot be decoded.
    public func fetch(_ request: Request, receive: @escaping Receive) async throws {
      try Task.checkCancellation()
      let content = try DataURL(request.url)
      let headers = ["content-type": content.mediaType, "content-length": "\(content.data.count)"]
      try receive(.response(Response(status: 200, headers: headers, expectedBytes: content.data.count)))
      if !content.data.isEmpty { try receive(.bytes(content.data)) }
    }
  }
}
