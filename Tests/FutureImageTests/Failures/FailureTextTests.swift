import Foundation
import Testing

@testable import FutureImage

/// The text of every failure: what failed, why, and what to do, each once.
@Suite(.timeLimit(.minutes(5))) struct FailureTextTests {
  typealias Failure = FutureImage.Failure

  private static let source = "https://shop.test/a.jpg"

  private static func row(_ reason: Failure.Reason, _ expected: String) -> (reason: Failure.Reason, row: TextRow) {
    (reason, TextRow("\(reason)", Failure(reason, key: source).description, expected))
  }

  private static func formatText(_ format: String) -> String {
    "The image https://shop.test/a.jpg is in a format that is not supported here: \(format). Deliver it in another format, or add "
      + "a decoder for it."
  }

  /// One row for each reason and each kind of status, and for each fault of the network.
  static let reasons: [(reason: Failure.Reason, row: TextRow)] = [
    row(.cancelled, "The image https://shop.test/a.jpg was canceled; request it again to load it."),
    row(.refused("its URL has no host; check it"), "The image https://shop.test/a.jpg was not requested: its URL has no host; check it."),
    row(.refused(""), "The image https://shop.test/a.jpg was not requested: its source is not allowed; check it."),
    row(
      .notCached,
      "The image https://shop.test/a.jpg is in no cache, and its cache policy permits no request; request it with another cache policy."),
    row(
      .status(401),
      "The server does not permit access to the image https://shop.test/a.jpg (status 401); check the header fields of its source."),
    row(
      .status(403),
      "The server does not permit access to the image https://shop.test/a.jpg (status 403); check the header fields of its source."),
    row(.status(404), "The image https://shop.test/a.jpg does not exist on the server (status 404); check its URL."),
    row(.status(410), "The image https://shop.test/a.jpg does not exist on the server (status 410); check its URL."),
    row(.status(408), "The server cannot deliver the image https://shop.test/a.jpg now (status 408); try again later."),
    row(.status(429), "The server cannot deliver the image https://shop.test/a.jpg now (status 429); try again later."),
    row(.status(503), "The server cannot deliver the image https://shop.test/a.jpg now (status 503); try again later."),
    row(.status(300), "The server refused to deliver the image https://shop.test/a.jpg (status 300); check its URL."),
    row(.status(400), "The server refused to deliver the image https://shop.test/a.jpg (status 400); check its URL."),
    row(
      .transport(.hostNotFound),
      "The image https://shop.test/a.jpg did not arrive: the server's name was not found; check the URL and the network."),
    row(
      .transport(.connectionRefused), "The image https://shop.test/a.jpg did not arrive: the server does not answer; try again later."),
    row(.transport(.connectionLost), "The image https://shop.test/a.jpg did not arrive: the connection was lost; try again."),
    row(.transport(.timedOut), "The image https://shop.test/a.jpg did not arrive: the server took too long; try again later."),
    row(.transport(.stalled), "The image https://shop.test/a.jpg did not arrive: the transfer stalled; try again later."),
    row(.transport(.truncated), "The image https://shop.test/a.jpg did not arrive: the transfer ended early; try again."),
    row(
      .transport(.untrusted),
      "The image https://shop.test/a.jpg did not arrive: the server's certificate or its version of TLS is not trusted; check the server."
    ),
    row(
      .transport(.offline),
      "The image https://shop.test/a.jpg did not arrive: there is no network; try again when the network has returned."),
    row(
      .transport(.avoidedNetwork),
      "The image https://shop.test/a.jpg did not arrive: the app avoids the current network; try again on another network."),
    row(
      .transport(.other("the transfer failed; try again later (libcurl error 81)")),
      "The image https://shop.test/a.jpg did not arrive: the transfer failed; try again later (libcurl error 81)."),
    row(.transport(.other(" ")), "The image https://shop.test/a.jpg did not arrive: the network failed; try again later."),
    row(
      .malformed("it redirects to no URL"),
      "The response for the image https://shop.test/a.jpg is not valid: it redirects to no URL. Check what its URL delivers."),
    row(.malformed(""), "The response for the image https://shop.test/a.jpg is not valid: it is malformed. Check what its URL delivers."),
    row(.empty, "The image https://shop.test/a.jpg is empty: its source sent no bytes. Check the source."),
    row(
      .tooLarge(limit: 1_000),
      "The image https://shop.test/a.jpg has more than the 1000 bytes allowed; to allow larger images, raise Loader.Configuration.maxBytes."
    ),
    row(
      .unreadable("the disk failed; check it."), "The image https://shop.test/a.jpg could not be read: the disk failed; check it."),
    row(.unreadable(""), "The image https://shop.test/a.jpg could not be read: its source failed; check it."),
    row(
      .undecodable("its header is broken"),
      "The image https://shop.test/a.jpg cannot be decoded: its header is broken. Check what its source delivers."),
    row(.undecodable(""), "The image https://shop.test/a.jpg cannot be decoded: its data is broken. Check what its source delivers."),
    row(.unsupported("HEIC"), formatText("HEIC")), row(.unsupported(""), formatText("the format is unknown")),
    row(
      .transformFailed("blur of 3: it is too large; make it smaller"),
      "The image https://shop.test/a.jpg could not be transformed: blur of 3: it is too large; make it smaller."),
    row(
      .transformFailed(""), "The image https://shop.test/a.jpg could not be transformed: a step failed; check its transform."),
    row(
      .tooManyPixels("9 × 9 pixels; raise DecodingLimits.maxPixels or maxSide"),
      "The image https://shop.test/a.jpg is too large to decode: 9 × 9 pixels; raise DecodingLimits.maxPixels or maxSide."),
    row(
      .tooManyPixels(""),
      "The image https://shop.test/a.jpg is too large to decode: it has too many pixels; raise the decoder's limits."),
    row(
      .outOfMemory,
      "There is not enough memory to decode the image https://shop.test/a.jpg; release memory, or request fewer pixels.")
  ]

  @Test(arguments: reasons.map { $0.row }) func `each reason has the expected text`(row: TextRow) {
    #expect(row.text == row.expected)
    #expect(row.faults == [])
  }

  @Test(arguments: [
    (Failure(.status(404)), "The image does not exist on the server (status 404); check its URL."),
    (Failure(.status(503)), "The server cannot deliver the image now (status 503); try again later."),
    (Failure(.empty), "The image is empty: its source sent no bytes. Check the source."),
    (Failure(.status(503), key: "feed").about(.value), "The server cannot deliver the value feed now (status 503); try again later."),
    (
      Failure(.refused("it is already in use; configure it before a model is decoded or a future is made")).about(.sharedLoader),
      "The shared loader was not configured: it is already in use; configure it before a model is decoded or a future is made."
    )
  ]) func `a failure that has no source or is not about an image has a fitting text`(failure: Failure, expected: String) {
    #expect(failure.description == expected)
  }

  @Test func `the localized description of each reason is a short sentence for people`() {
    for (reason, _) in Self.reasons {
      let failure = Failure(reason, key: Self.source)
      let text = failure.localizedDescription
      #expect((10...60).contains(text.count) && text.hasSuffix(".") && text.first?.isUppercase == true, "\(text)")
      #expect(!["http", "Loader", "maxBytes", "URL", "status", "(", ":", ";"].contains { text.contains($0) }, "\(text)")
    }
    #expect(Failure(.status(503)).about(.value).localizedDescription == "The server cannot deliver the value now.")
  }

  @Test func `the reason and the remedy are the two halves of the description`() {
    let large = Failure(.tooLarge(limit: 10), key: Self.source)
    #expect(large.failureReason == "The image has more than the 10 bytes allowed.")
    #expect(large.recoverySuggestion == "To allow larger images, raise Loader.Configuration.maxBytes.")
    let broken = Failure(.undecodable("its header is broken"))
    #expect(broken.failureReason == "The image cannot be decoded: its header is broken.")
    #expect(broken.recoverySuggestion == "Check what its source delivers.")
    #expect(Failure(.refused("nobody is logged in")).recoverySuggestion == nil)
    for (reason, _) in Self.reasons {
      let failure = Failure(reason)
      let parts = [failure.failureReason, failure.recoverySuggestion].compactMap(\.self)
      #expect(parts.allSatisfy { $0.hasSuffix(".") && !$0.contains(". ") && !$0.contains("http") }, "\(parts)")
    }
  }

  @Test func `a long source is shortened in the middle`() {
    let text = Failure(.status(404), key: "https://shop.test/\(String(repeating: "a", count: 1000))/b.jpg").description
    #expect(text.count < 260 && text.contains("https://shop.test/aaa") && text.contains("…") && text.contains("aa/b.jpg does not exist"))
  }

  @Test func `each reason has a short label for tables`() {
    for (reason, _) in Self.reasons {
      #expect((3...24).contains(reason.label.count), "\(reason.label)")
      #expect(!reason.label.contains("("))
    }
  }

  @Test func `if a failure is quoted inside another failure, the quoted text does not name the source of the image`() {
    #expect(Failure(.undecodable("it is too red"), key: Self.source).words == "it is too red")
    #expect(Failure(.status(404), key: Self.source).words == "The image does not exist on the server (status 404); check its URL")
    #expect(Failure(.transport(.connectionLost)).words == "the connection was lost; try again")
  }

  @Test func `an app's error is quoted without its period and without credentials`() {
    struct Plain: Error {}
    struct AlbumError: LocalizedError {
      var errorDescription: String? { "The album is closed." }
    }
    #expect(Plain().words == "Plain()")
    #expect(AlbumError().words == "The album is closed")
    let error = NSError(domain: "Shop", code: 3, userInfo: ["NSErrorFailingURLKey": "https://ann:hunter2@shop.test"])
    #expect(!error.words.contains("hunter2"))
    struct Coded: CustomNSError {
      let password = "hunter2"
    }
    #expect(!Coded().words.contains("hunter2"))
  }
}
