import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage
@testable import FutureImageCache

/// The texts of errors that the library itself throws. The tests cause most of these errors, and create the others.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ThrownTextTests {
  typealias Failure = FutureImage.Failure

  private struct Broken: Error {}

  /// The text of the error that the body throws.
  private static func thrown(_ body: () throws -> Void) -> String {
    do { try body() } catch { return "\(error)" }
    return "nothing was thrown"
  }

  private func failing(_ body: () async throws -> Void) async -> String {
    do { try await body() } catch { return "\(error)" }
    return "nothing was thrown"
  }

  private static func url(_ text: String) -> URL { URL(string: text) ?? URL(fileURLWithPath: "/not-a-url") }

  // MARK: - Requests

  private static func request(_ url: String, _ headers: [String: String] = [:]) -> String {
    thrown { try FutureImage.Request(url: Self.url(url), headers: headers).requireHTTP() }
  }

  static let requests = [
    TextRow("another scheme", request("ftp://a/b"), "The image was not requested: its scheme is neither http nor https; check its URL."),
    TextRow("no host", request("http:///b"), "The image was not requested: its URL has no host; check it."),
    TextRow(
      "a field name with a blank", request("http://a/b", ["a b": "c"]),
      "The image was not requested: the header field name “a b” is not allowed in HTTP; use letters, digits and hyphens."),
    TextRow(
      "a value of two lines", request("http://a/b", ["a": "b\nc"]),
      "The image was not requested: the value of its header field “a” has a line break or a zero byte; remove it.")
  ]

  @Test(arguments: requests) func `a request that cannot be sent throws the expected text`(row: TextRow) { #expect(row.faults == []) }

  private static func redirect(_ from: String, _ location: String?, count: Int = 0) -> String {
    thrown { _ = try Redirect.hop(from: url(from), to: location, count: count) }
  }

  static let redirects = [
    TextRow(
      "no target", redirect("http://a/b", nil),
      "The response for the image is not valid: it redirects to no URL. Check what its URL delivers."),
    TextRow(
      "two targets", redirect("http://a/b", "http://b/, http://c/"),
      "The response for the image is not valid: it redirects to two URLs. Check what its URL delivers."),
    TextRow(
      "no host", redirect("http://a/b", "http://"),
      "The response for the image is not valid: it redirects to an address that is not valid. Check what its URL delivers."),
    TextRow(
      "a loop", redirect("http://a/b", "/c", count: 10),
      "The response for the image is not valid: it redirects more than 10 times. Check what its URL delivers."),
    TextRow(
      "a file", redirect("http://a/b", "file:///etc/passwd"),
      "The image was not requested: the server redirects to a “file” URL; only http and https are followed."),
    TextRow(
      "from https to http", redirect("https://a/b", "http://a/b"),
      "The image was not requested: the server redirects from https to http; use a URL that stays with https.")
  ]

  @Test(arguments: redirects) func `a redirect that is not followed throws the expected text`(row: TextRow) { #expect(row.faults == []) }

  private static func data(_ text: String) -> String {
    thrown {
      let content = try DataURL(url(text))
      var reader = DataURL.Reader(content)
      while try reader.read(content) != nil {}
    }
  }

  static let dataURLs = [
    TextRow("another scheme", data("http://a/b"), "The image was not requested: it is not a data URL; check it."),
    TextRow(
      "no comma", data("data:image/png;base64"),
      "The response for the image is not valid: the data URL has no comma before its content. Check what its URL delivers."),
    TextRow(
      "a letter that is not base64", data("data:;base64,AA-_"),
      "The response for the image is not valid: the data URL has a character that is not base64. Check what its URL delivers."),
    TextRow(
      "a missing base64 symbol", data("data:;base64,AAECA"),
      "The response for the image is not valid: the base64 of the data URL has a wrong length. Check what its URL delivers.")
  ]

  @Test(arguments: dataURLs) func `a data URL that cannot be decoded throws the expected text`(row: TextRow) { #expect(row.faults == []) }

  // MARK: - Transfers

  private struct TransferRow {
    let cause: String
    let source: FutureImage.Source
    let expected: String
    var change: @Sendable (inout FutureImage.Loader.Configuration) -> Void = { _ in }
  }

  private struct Answering: FutureImage.Fetcher {
    let response: FutureImage.Response
    var body = Data()

    func fetch(_ request: FutureImage.Request, receive: @escaping FutureImage.Receive) async throws {
      try receive(.response(response))
      if !body.isEmpty { try receive(.bytes(body)) }
    }
  }

  private struct Failing: FutureImage.Fetcher {
    func fetch(_ request: FutureImage.Request, receive: @escaping FutureImage.Receive) async throws { throw Broken() }
  }

  private static let transfers = [
    TransferRow(
      cause: "no host", source: .url(url("http:///a.jpg"), key: "cover"),
      expected: "The image cover was not requested: its URL has no host; check it."),
    TransferRow(
      cause: "a file in place of a URL", source: .url(url("file:///a.jpg"), key: "cover"),
      expected: "The image cover was not requested: a file is read only from a file source; use Source.file(_:)."),
    TransferRow(
      cause: "a relative URL", source: .url(url("a.jpg"), key: "cover"),
      expected: "The image cover was not requested: its URL is not absolute; give it a scheme and a host."),
    TransferRow(
      cause: "another scheme", source: .url(url("ftp://a/b"), key: "cover"),
      expected: "The image cover was not requested: “ftp” URLs are not fetched; use http, https or data."),
    TransferRow(
      cause: "a fetcher that throws", source: .url(LoaderFixture.url()),
      expected: "The image https://shop.test/a.jpg did not arrive: its fetcher failed; try again later (Broken())."
    ) { $0.fetcher = Failing() },
    TransferRow(
      cause: "a 304 without a conditional request", source: .url(LoaderFixture.url()),
      expected:
        "The response for the image https://shop.test/a.jpg is not valid: it is the response to another request. Check what its URL delivers."
    ) { $0.fetcher = Answering(response: FutureImage.Response(status: 304)) },
    TransferRow(
      cause: "no body", source: .url(LoaderFixture.url()),
      expected: "The image https://shop.test/a.jpg is empty: its source sent no bytes. Check the source."
    ) { $0.fetcher = Answering(response: FutureImage.Response(status: 200)) },
    TransferRow(
      cause: "a body beyond the limit", source: .url(LoaderFixture.url()),
      expected: "The image https://shop.test/a.jpg has more than the 3 bytes allowed; to allow larger images, raise "
        + "Loader.Configuration.maxBytes."
    ) {
      $0.maxBytes = 3
      $0.fetcher = Answering(response: FutureImage.Response(status: 200), body: Data(count: 4))
    },
    TransferRow(
      cause: "a closure that throws", source: .data(key: "cover") { throw Broken() },
      expected: "The image cover could not be read: the closure of its source failed; check it (Broken())."),
    TransferRow(
      cause: "a source of pixels where bytes are needed", source: .sized(key: "cover") { _ in throw Broken() },
      expected: "The image cover was not requested: its source makes pixels and no bytes; use Source.data(key:_:) here."),
    TransferRow(
      cause: "an image without pixels", source: .image(UIImage(), key: "cover"),
      expected: "The image cover could not be read: it has no pixels; make it from an image with pixels."),
    TransferRow(
      cause: "a closure for header fields that throws", source: .url(LoaderFixture.url(), key: "cover") { throw Broken() },
      expected: "The image cover did not arrive: the closure that makes its header fields failed; check it (Broken())."),
    TransferRow(
      cause: "a hook that throws", source: .url(LoaderFixture.url()),
      expected: "The image https://shop.test/a.jpg did not arrive: Loader.Configuration.prepareRequest failed; check it (Broken())."
    ) { $0.prepareRequest = { _ in throw Broken() } },
    TransferRow(
      cause: "a hook that changes the scheme", source: .url(LoaderFixture.url(), key: "cover"),
      expected: "The image cover was not requested: "
        + "Loader.Configuration.prepareRequest gave it a URL that is not http or https; return one that is."
    ) { $0.prepareRequest = { FutureImage.Request(url: URL(fileURLWithPath: "/a"), timeout: $0.timeout) } }
  ]

  @Test func `a transfer that fails throws the expected text`() async {
    for row in Self.transfers {
      var configuration = FutureImage.Loader.Configuration.held(by: HeldFetcher())
      row.change(&configuration)
      let transfer = Transfer(source: row.source, configuration: configuration, network: []) { _ in }
      let text = await failing {
        var history = Transfer.AttemptHistory()
        _ = try await transfer.run(&history)
      }
      #expect(TextRow(row.cause, text, row.expected).faults == [], "\(row.cause)")
    }
  }

  private static let sized: [(source: FutureImage.Source, expected: String)] = [
    (
      .sized(key: "cover", wholeSize: .zero) { _ in throw Broken() },
      "The image cover was not requested: its whole size is not the size of an image; give its width and height in pixels, up to 65,535."
    ),
    (
      .sized(key: "cover", wholeSize: CGSize(width: 9, height: 9)) { _ in .image(UIImage()) },
      "The image cover could not be read: the closure of its source returned an image without pixels; return an image with pixels."
    ),
    (
      .sized(key: "cover", wholeSize: CGSize(width: 90, height: 9)) { _ in .image(SampleImage.image(90, 90)) },
      "The image cover could not be read: the closure of its source returned 90 × 90 pixels for 90 × 9"
        + ", which have other proportions; return the whole image in the requested size, or correct wholeSize."
    ),
    (
      .sized(key: "cover", wholeSize: CGSize(width: 60_000, height: 60_000)) { _ in .image(SampleImage.image(9, 9)) },
      "The image cover is too large to decode: 60000 × 60000 pixels at once; request fewer, or raise DecodingLimits.maxBytes."
    )
  ]

  @Test func `a sized source that fails throws the expected text`() async {
    for row in Self.sized {
      let loader = FutureImage.Loader(.held(by: HeldFetcher()))
      let text = await failing { _ = try await FutureImage(row.source, loader: loader).value }
      #expect(TextRow("a sized source", text, row.expected).faults == [])
    }
  }

  @Test func `if a recipe cannot renew a URL, the transfer throws the expected text`() async {
    let source = FutureImage.Source.url(LoaderFixture.url(), key: "cover").renewing { _, _ in throw Broken() }
    var configuration = FutureImage.Loader.Configuration.held(by: HeldFetcher())
    configuration.fetcher = Answering(response: FutureImage.Response(status: 410))
    var transfer = Transfer(source: source, configuration: configuration, network: []) { _ in }
    transfer.renew = { _, _ in throw Broken() }
    let text = await failing { [transfer] in
      var history = Transfer.AttemptHistory()
      _ = try await transfer.run(&history)
    }
    #expect(text == "The image cover did not arrive: its recipe could not renew the URL; check it (Broken()).")
  }

  @Test func `a transfer over an avoided network throws the expected text`() async {
    var configuration = FutureImage.Loader.Configuration.held(by: HeldFetcher())
    configuration.avoidedNetworks = [.constrained]
    let transfer = Transfer(source: .url(LoaderFixture.url()), configuration: configuration, network: [.constrained]) { _ in }
    let text = await failing {
      var history = Transfer.AttemptHistory()
      _ = try await transfer.run(&history)
    }
    #expect(text == "The image https://shop.test/a.jpg did not arrive: the app avoids the current network; try again on another network.")
  }

  @Test func `making a placeholder hash throws the expected text if the image has no pixels or is a future`() async {
    let future = FutureImage(at: LoaderFixture.url(), loader: FutureImage.Loader(.held(by: HeldFetcher())))
    let rows = [
      TextRow(
        "no pixels", await failing { _ = try FutureImage.Placeholder.makeBlurHash(of: UIImage()) },
        "The image could not be read: it has no pixels; use an image with pixels."),
      TextRow(
        "a future", await failing { _ = try FutureImage.Placeholder.makeThumbHash(of: future) },
        "The image was not requested: it is a future; use its value.")
    ]
    for row in rows { #expect(row.faults == [], "\(row.cause)") }
  }

  // MARK: - Files

  @Test func `a file that cannot be read throws the expected text`() async throws {
    let folder = try TemporaryDirectory()
    let fetcher = FutureImage.FileFetcher()
    func text(_ url: URL) async -> String { await failing { try await fetcher.fetch(FutureImage.Request(url: url)) { _ in } } }
    let rows = [
      TextRow("another scheme", await text(Self.url("http://a/b")), "The image was not requested: it is not a file URL; check it."),
      TextRow(
        "another computer", await text(Self.url("file://server/a.jpg")),
        "The image was not requested: its file is on another computer; copy it to this one."),
      TextRow(
        "a zero byte", await text(Self.url("file:///a%00.jpg")), "The image was not requested: its path has a zero byte; remove it."),
      TextRow(
        "a folder", await text(folder.url), "The image could not be read: it is a folder, a pipe or a device; name a regular file."),
      TextRow(
        "no file", await text(folder.file("none.jpg")),
        "The image could not be read: there is no such file; check its path (No such file or directory, error 2).")
    ]
    for row in rows { #expect(row.faults == [], "\(row.cause)") }
  }

  private static func system(_ code: Int32) -> String { FutureImage.FileFailure(.system(call: "open", code: code), path: "/a").description }

  static let files = [
    TextRow(
      "no file", system(ENOENT),
      "The cache file /a cannot be used: there is no such file; check its path (open: No such file or directory, error 2)."),
    TextRow(
      "no permission", system(EACCES),
      "The cache file /a cannot be used: the process may not use it; check its permissions (open: Permission denied, error 13)."),
    TextRow(
      "a full disk", system(ENOSPC),
      "The cache file /a cannot be used: the disk is full; free some space (open: No space left on device, error 28)."),
    TextRow(
      "a directory", FutureImage.FileFailure(.notAFile("a directory"), path: "/a").description,
      "The cache file /a cannot be used: there is a directory in its place; remove that item."),
    TextRow(
      "a link", FutureImage.FileFailure(.notAFile("a symbolic link"), path: "/a").description,
      "The cache file /a cannot be used: there is a symbolic link in its place; remove that item."),
    TextRow(
      "a pipe", FutureImage.FileFailure(.notAFile("a pipe or a device"), path: "/a").description,
      "The cache file /a cannot be used: there is a pipe or a device in its place; remove that item."),
    TextRow(
      "a large file", FutureImage.FileFailure(.tooLarge(bytes: 11, limit: 10), path: "/a").description,
      "The cache file /a cannot be used: it has 11 bytes, more than the 10 allowed; to allow larger files, raise the cache's limit."),
    TextRow(
      "a URL that names no file",
      FutureImage.FileFailure(.refused("it is not a file URL, or has a zero byte; use another URL"), path: "http://a").description,
      #"The cache path "http://a" cannot be used: it is not a file URL, or has a zero byte; use another URL."#),
    TextRow(
      "an app group without this program", FutureImage.FileFailure(.noContainer, path: "group.com.example.shop").description,
      #"The caches of the app group "group.com.example.shop" cannot be used: this program is not a member of the group; "#
        + "add the group to the App Groups capability of its target, and check its spelling."),
    TextRow(
      "an app group that is a path", group("a/b"),
      #"The cache path "a/b" cannot be used: it is not the name of an app group; use one like group.com.example.shop."#),
    TextRow("an absolute path", path("/a"), #"The cache path "/a" cannot be used: it is absolute; use a relative path, or a file URL."#),
    TextRow("a folder", path("a/"), #"The cache path "a/" cannot be used: it does not end in the name of a file; add a file name."#),
    TextRow("a path upwards", path("../a"), #"The cache path "../a" cannot be used: it has “..”; name a path in the caches directory."#),
    TextRow("a zero byte", path("a\0"), #"The cache path "a\0" cannot be used: it has a zero byte; remove it."#)
  ]

  private static func group(_ identifier: String) -> String { thrown { _ = try AppGroup.cachesDirectory(identifier) } }

  private static func path(_ path: String) -> String { thrown { _ = try CachesDirectory.file(path) } }

  #if canImport(UIKitStandIn) && !canImport(UIKit)
  @Test(arguments: files) func `if a cache file cannot be used, the failure has the expected text`(row: TextRow) {
    #expect(row.text == row.expected)
  }
  #endif

  // MARK: - Values and the shared loader

  @Test func `a cache value that cannot be decoded throws the expected text`() async throws {
    let held = HeldFetcher()
    let cache = Cache<String>(directory: nil, as: .string, fetching: FutureImage.Loader(.held(by: held)))
    async let text = failing { _ = try await cache.value(from: LoaderFixture.url()) }
    await held.waitForHeld()
    held.resolve(with: Data([0xFF]))
    let expected = "The value https://shop.test/a.jpg cannot be decoded: it is not UTF-8. Check what its source delivers."
    #expect(await text == expected)
  }

  @Test func `configuring the shared loader again or after its first use throws the expected text`() throws {
    let shared = SharedConfiguration()
    try shared.set(.held(by: HeldFetcher()))
    #expect(
      Self.thrown { try shared.set(.held(by: HeldFetcher())) }
        == "The shared loader was not configured: it is configured already; configure it in one place.")
    _ = shared.take()
    #expect(
      Self.thrown { try shared.set(.held(by: HeldFetcher())) }
        == "The shared loader was not configured: it is already in use; configure it before a model is decoded or a future is made.")
  }

  @Test func `awaiting an image without a source throws the expected text`() async {
    let text = await failing { _ = try await FutureImage().value }
    #expect(text == "The image was not requested: it has no source; use the future itself instead of an image derived from it.")
  }

  @Test func `a transform step that fails throws the expected text`() throws {
    let text = Self.thrown { _ = try FutureImage.PixelBuffer.noise(9, 7, seed: 5).after(.custom("mine") { _ in throw Broken() }) }
    #expect(text == "The image could not be transformed: mine failed; check that step (Broken()).")
  }
}
