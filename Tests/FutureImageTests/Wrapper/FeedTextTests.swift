import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The texts of errors and warnings about feeds, and the lines of the log.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct FeedTextTests {
  private enum Strict: FutureImage.Recipe {
    static var isStrict: Bool { true }
  }

  private struct Photo: Decodable {
    @FutureImage.From<Strict, FutureImage> var photo: FutureImage
  }

  private let fixture = LoaderFixture()

  /// Returns the text of the error that decoding a photo from the JSON throws.
  private func text(_ json: String) -> String {
    let decoder = JSONDecoder()
    decoder.userInfo[FutureImage.loaderKey] = fixture.loader
    do {
      _ = try decoder.decode(Photo.self, from: Data(json.utf8))
      return "nothing was thrown"
    } catch let DecodingError.dataCorrupted(context) {
      return context.debugDescription
    } catch let DecodingError.keyNotFound(_, context) {
      return context.debugDescription
    } catch let DecodingError.typeMismatch(_, context) {
      return context.debugDescription
    } catch {
      return "\(error)"
    }
  }

  @Test func `a missing or unusable value in a feed throws an error with the expected text`() {
    let rows = [
      TextRow("no key", text("{}"), "The feed has no “photo”. Make the property optional if the image may be missing."),
      TextRow(
        "an array", text(#"{"photo": []}"#),
        "The feed has a list in place of a text. Declare the property in the shape of the feed."),
      TextRow(
        "null", text(#"{"photo": null}"#),
        "The image null at photo was not requested: the feed has no image there; make the property optional if it may be missing."),
      TextRow(
        "a relative URL", text(#"{"photo": "/a.jpg"}"#),
        "The image “/a.jpg” at photo was not requested: "
          + "it is a relative URL; set the recipe's baseURL, or FutureImage.baseURLKey in the decoder's userInfo."),
      TextRow(
        "another scheme", text(#"{"photo": "ftp://a/b"}"#),
        "The image “ftp://a/b” at photo was not requested: "
          + "it is not an http, https or data URL; correct the feed, or make the URL in the recipe.")
    ]
    for row in rows { #expect(row.faults == [], "\(row.cause)") }
  }

  @Test func `each event has the expected line in the log`() {
    let source = "https://shop.test/a.jpg"
    let lost = FutureImage.Failure(.transport(.connectionLost), key: source)
    let lines: [(FutureImage.Loader.Event, String)] = [
      (.requested(URL(string: source)), "requested https://shop.test/a.jpg"),
      (
        .retrying(lost, after: .milliseconds(200)),
        "will be tried again in 200.0 ms. The image did not arrive: the connection was lost; try again."
      ), (.fetched(bytes: 9, in: .milliseconds(3)), "9 bytes fetched in 3.0 ms"), (.unchanged, "unchanged"),
      (.read(bytes: 9, in: .milliseconds(3)), "9 bytes read in 3.0 ms"),
      (.decoded(width: 4, height: 3, in: .milliseconds(3)), "4 × 3 pixels decoded in 3.0 ms"),
      (.damaged(missing: 0.5), "damaged, 50 % of its pixels are missing"),
      (.ignoredProfile("it ends early"), "color profile ignored: it ends early"),
      (.preview(width: 4, height: 3, in: .milliseconds(3)), "4 × 3 pixels of a preview decoded in 3.0 ms"),
      (.failed(lost), "failed. The image did not arrive: the connection was lost; try again."),
      (.cancelled, "canceled"),
      (.unusable(lost), "cannot be used. The image did not arrive: the connection was lost; try again."),
      (.cacheFault("The disk is full."), "a cache failed. The disk is full.")
    ]
    for (event, expected) in lines { #expect(event.description == expected) }
  }

  @Test func `the warnings about an unusable text, a missing source, a pattern color, and a resize have the expected texts`() throws {
    let fault = FutureImage.Failure(.refused("it has no host"), key: "“/a.jpg” at photo")
    let expected =
      "FutureImage: a feed names an image that cannot be fetched. The image “/a.jpg” at photo was not requested: it has no host. "
      + "Further texts of Strict are reported only to Loader.Configuration.onEvent."
    #expect(Strict.warning(about: fault) == expected)
    let withoutSource =
      "FutureImage: an image of this class has no source, so it shows its own pixels and loads nothing. It was made by an initializer of "
      + "UIImage, or copied by UIKit. Show the future itself, or derive images from its `image` or `value`."
    #expect(DeveloperWarning.futureWithoutSource.text == withoutSource)
    let pattern =
      "FutureImage: a color, such as a pattern, has no red, green, and blue components, so a transform uses a clear color instead. Use "
      + "a plain color."
    #expect(DeveloperWarning.colorWithoutComponents.text == pattern)
    let resize =
      "FutureImage: a resize to 0.0 × 120.0 points of 3.0 pixels, fill, does not change its image. Give it sides and a scale that are "
      + "positive and finite; with .fit one side may be infinite. It is reported once."
    #expect(FutureImage.Transform.warning(about: CGSize(width: 0, height: 120), .fill, 3) == resize)
  }

  @Test func `a placeholder that cannot be made is reported with the expected text`() throws {
    let reports = Lock<[String]>([])
    let images = PlaceholderImages { report in reports.withLock { $0.append(report) } }
    let large = "data:image/png;base64," + (try #require(SampleImage.image(257, 256).pngData())).base64EncodedString()
    for _ in 0..<2 { #expect(images.image(of: .named("no such asset"), size: nil) == nil) }
    #expect(images.image(of: .named("nor this one"), size: nil) == nil)
    #expect(images.image(of: .dataURL(large), size: nil) == nil)
    let all = reports.withLock { $0 }
    let beginning = "FutureImage: there is no placeholder image for the "
    #expect(
      all.first == beginning
        + #"asset "no such asset": there is no asset of that name; add it, or correct the name. It is reported once."#)
    #expect(all.last?.hasPrefix(beginning + #"data URL "data:image/png;base64,"#) == true)
    let end = "it has more than 65536 pixels, or takes too much memory; make it smaller. Only the first such data URL is reported."
    #expect(all.count == 3 && all[1].contains(#"asset "nor this one""#) && all[2].hasSuffix(end))
  }

  // MARK: - Completeness

  private static func row(_ reason: FutureImage.Failure.Reason, _ expected: String) -> TextRow {
    TextRow("\(reason)", FutureImage.Failure(reason, key: "https://shop.test/a.jpg").description, expected)
  }

  /// The texts that only other platforms use, and the texts of faults that a test cannot cause. Each row makes its failure directly.
  private static let others = [
    row(
      .refused("the app allows https only; use an https URL, or change NSAppTransportSecurity in Info.plist"),
      "The image https://shop.test/a.jpg was not requested: the app allows https only; use an https URL, or change NSAppTransportSecurity in Info.plist."
    ),
    row(
      .refused("libcurl does not accept its URL or its header fields; check them"),
      "The image https://shop.test/a.jpg was not requested: libcurl does not accept its URL or its header fields; check them."),
    row(
      .refused("it is not a URL; correct the feed, or make the URL in the recipe"),
      "The image https://shop.test/a.jpg was not requested: it is not a URL; correct the feed, or make the URL in the recipe."),
    row(
      .malformed("it is not HTTP"),
      "The response for the image https://shop.test/a.jpg is not valid: it is not HTTP. Check what its URL delivers."),
    row(
      .malformed("it has no status line"),
      "The response for the image https://shop.test/a.jpg is not valid: it has no status line. Check what its URL delivers."),
    row(
      .malformed("it is not proper HTTP (URLError 1)"),
      "The response for the image https://shop.test/a.jpg is not valid: it is not proper HTTP (URLError 1). Check what its URL delivers."),
    row(
      .malformed("it confirms an image that is not known"),
      "The response for the image https://shop.test/a.jpg is not valid: it confirms an image that is not known. Check what its URL delivers."
    ),
    row(
      .malformed("it confirms a value that is not known"),
      "The response for the image https://shop.test/a.jpg is not valid: it confirms a value that is not known. Check what its URL delivers."
    ),
    row(
      .malformed("its compressed content is broken"),
      "The response for the image https://shop.test/a.jpg is not valid: its compressed content is broken. Check what its URL delivers."),
    row(
      .malformed("its compressed content consists almost only of the format's own marks"),
      "The response for the image https://shop.test/a.jpg is not valid: its compressed content consists almost only of the format's own marks. Check what its URL delivers."
    ),
    row(
      .malformed("its content coding “x” was not requested"),
      "The response for the image https://shop.test/a.jpg is not valid: its content coding “x” was not requested. Check what its URL delivers."
    ),
    row(
      .malformed("it has 3 nested content codings, more than the 2 allowed"),
      "The response for the image https://shop.test/a.jpg is not valid: it has 3 nested content codings, more than the 2 allowed. Check what its URL delivers."
    ),
    row(
      .malformed("the data URL has a broken percent escape"),
      "The response for the image https://shop.test/a.jpg is not valid: the data URL has a broken percent escape. Check what its URL delivers."
    ),
    row(
      .transport(.other("the transfer failed; try again later (URLError 1)")),
      "The image https://shop.test/a.jpg did not arrive: the transfer failed; try again later (URLError 1)."),
    row(
      .transport(.other("URLSession failed; try again later (it)")),
      "The image https://shop.test/a.jpg did not arrive: URLSession failed; try again later (it)."),
    row(
      .transport(.other("no thread could be started; end other threads, and try again")),
      "The image https://shop.test/a.jpg did not arrive: no thread could be started; end other threads, and try again."),
    row(
      .transport(.other("libcurl could not be started; check the Debian package libcurl4")),
      "The image https://shop.test/a.jpg did not arrive: libcurl could not be started; check the Debian package libcurl4."),
    row(
      .transport(.other("libcurl made no handle; release memory and try again")),
      "The image https://shop.test/a.jpg did not arrive: libcurl made no handle; release memory and try again."),
    row(
      .transport(.other("libcurl did not accept the request; try again later")),
      "The image https://shop.test/a.jpg did not arrive: libcurl did not accept the request; try again later."),
    row(
      .transport(.other("libcurl cannot continue; try again later (it)")),
      "The image https://shop.test/a.jpg did not arrive: libcurl cannot continue; try again later (it)."),
    row(
      .transport(.other("the program has no file descriptor left; raise the limit, or close some")),
      "The image https://shop.test/a.jpg did not arrive: the program has no file descriptor left; raise the limit, or close some."),
    row(
      .transport(.other("there is not enough memory for brotli; release memory and try again")),
      "The image https://shop.test/a.jpg did not arrive: there is not enough memory for brotli; release memory and try again."),
    row(
      .transport(.other("there is not enough memory for zlib; release memory and try again")),
      "The image https://shop.test/a.jpg did not arrive: there is not enough memory for zlib; release memory and try again."),
    row(
      .undecodable("its header is broken"),
      "The image https://shop.test/a.jpg cannot be decoded: its header is broken. Check what its source delivers."),
    row(
      .undecodable("its pixels are broken"),
      "The image https://shop.test/a.jpg cannot be decoded: its pixels are broken. Check what its source delivers."),
    row(
      .undecodable("it has no frames"),
      "The image https://shop.test/a.jpg cannot be decoded: it has no frames. Check what its source delivers."),
    row(
      .undecodable("it has more than 4096 bytes"),
      "The image https://shop.test/a.jpg cannot be decoded: it has more than 4096 bytes. Check what its source delivers."),
    row(
      .undecodable("it has more than 9 rows of components"),
      "The image https://shop.test/a.jpg cannot be decoded: it has more than 9 rows of components. Check what its source delivers."),
    row(
      .undecodable("its average color is out of range"),
      "The image https://shop.test/a.jpg cannot be decoded: its average color is out of range. Check what its source delivers."),
    row(
      .undecodable("one of its components is out of range"),
      "The image https://shop.test/a.jpg cannot be decoded: one of its components is out of range. Check what its source delivers."),
    row(
      .unreadable("it has no pixels that PNG can hold; store an image with pixels"),
      "The image https://shop.test/a.jpg could not be read: it has no pixels that PNG can hold; store an image with pixels."),
    row(
      .unreadable("it is an image already; show it as it is"),
      "The image https://shop.test/a.jpg could not be read: it is an image already; show it as it is."),
    row(
      .unreadable("there is no asset of that name; add it, or correct the name"),
      "The image https://shop.test/a.jpg could not be read: there is no asset of that name; add it, or correct the name."),
    row(
      .transformFailed("its pixels cannot be read; release memory and try again"),
      "The image https://shop.test/a.jpg could not be transformed: its pixels cannot be read; release memory and try again."),
    row(
      .transformFailed("it has no pixels; use an image with pixels"),
      "The image https://shop.test/a.jpg could not be transformed: it has no pixels; use an image with pixels."),
    row(
      .transformFailed("there is not enough memory for the result; release memory, or request fewer pixels"),
      "The image https://shop.test/a.jpg could not be transformed: there is not enough memory for the result; release memory, or request fewer pixels."
    )
  ]

  @Test(arguments: others)
  func `each fault that occurs only on another platform, or that no test can cause, has the expected text`(row: TextRow) {
    #expect(row.faults == [])
  }
}
