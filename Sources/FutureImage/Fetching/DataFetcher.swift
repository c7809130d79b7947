extension FutureImage {
  /// A fetcher that decodes `data:` URLs (RFC 2397), base64 or percent-encoded, in slices of 256 KiB, never on the caller's thread.
  ///
  /// The `content-type` of the response is the media type in the URL, or `text/plain;charset=US-ASCII` if the URL names no media type.
  /// White space in base64 is skipped, and the padding may be missing. The fetcher validates and measures the content before it delivers
  /// the response, so a limit on the length applies before any content is decoded into memory.
  struct DataFetcher: Fetcher {
    init() {}

    /// - Throws: ``FutureImage/Failure`` with `.malformed` if the URL cannot be decoded.
    func fetch(_ request: Request, receive: @escaping Receive) async throws {
      try Task.checkCancellation()
      let url = try DataURL(request.url)
      var counting = DataURL.Reader(url)
      while try counting.skip(url) { try await Self.pause() }
      var headers = ["content-type": url.mediaType, "content-length": "\(counting.count)"]
      // The source of a long URL has a unique key, so no later lookup would find a stored entry.
      if CanonicalURL.isLongData(request.url) { headers["cache-control"] = "no-store" }
      try receive(.response(Response(status: 200, headers: headers, expectedBytes: counting.count)))
      var reader = DataURL.Reader(url)
      while let bytes = try reader.read(url) {
        try await Self.pause()
        if !bytes.isEmpty { try receive(.bytes(bytes)) }
      }
    }

    /// Yields to other tasks, because all tasks share a few threads.
    private static func pause() async throws {
      try Task.checkCancellation()
      await Task.yield()
    }
  }
}
