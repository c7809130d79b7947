extension FutureImage {
  /// Reads `data:` URLs (RFC 2397), base64 or percent-encoded, in slices of 256 KiB, never on the caller's thread.
  ///
  /// The response has the media type as its `content-type`: `text/plain;charset=US-ASCII` if the URL names none. White space in base64 is
  /// skipped, and its padding may be missing. The content is validated and measured before the response, so a limit on its length applies
  /// before any of it is decoded into memory.
  struct DataFetcher: Fetcher {
    init() {}

    /// - Throws: ``FutureImage/Failure`` with `.malformed` if the URL cannot be decoded.
    func fetch(_ request: Request, receive: @escaping Receive) async throws {
      try Task.checkCancellation()
      let url = try DataURL(request.url)
      var counting = DataURL.Reader(url)
      while try counting.skip(url) { try await Self.pause() }
      var headers = ["content-type": url.mediaType, "content-length": "\(counting.count)"]
      // A stored entry would never be found again: the source has a unique key.
      if CanonicalURL.isLongData(request.url) { headers["cache-control"] = "no-store" }
      try receive(.response(Response(status: 200, headers: headers, expectedBytes: counting.count)))
      var reader = DataURL.Reader(url)
      while let bytes = try reader.read(url) {
        try await Self.pause()
        if !bytes.isEmpty { try receive(.bytes(bytes)) }
      }
    }

    /// Lets other tasks run, since their threads are few.
    private static func pause() async throws {
      try Task.checkCancellation()
      await Task.yield()
    }
  }
}
