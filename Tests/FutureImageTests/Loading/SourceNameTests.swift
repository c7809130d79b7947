import Foundation
import Testing

@testable import FutureImage

/// The names of sources in messages.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct SourceNameTests {
  // A tilde stands for the rest of the name, which the test does not check.
  @Test(arguments: [
    ("HTTP://Shop.test:80/b/../a.jpg#top", "HTTP://Shop.test:80/b/../a.jpg#top"),
    ("https://shop.test", "https://shop.test"),
    ("https://ann:secret@shop.test/a.jpg", "https://shop.test/a.jpg ~"),
    ("https://SHOP.test/a.jpg?token=secret", "https://shop.test/a.jpg?token=~")
  ]) func `a failure names the URL as the app has written it, unless the URL has credentials`(written: String, name: String) async throws {
    let url = try #require(URL(string: written))
    let fixture = LoaderFixture { $0.retry = .never }
    // Both futures share one request, and the failure of each future must name the URL.
    let futures = [FutureImage(.url(url), loader: fixture.loader), FutureImage(.url(url.absoluteURL), loader: fixture.loader)]
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: 404))
    for future in futures {
      let failure = await #expect(throws: FutureImage.Failure.self) { try await future.value }
      #expect(failure?.key == future.key)
      let beginning = "The image " + name.prefix { $0 != "~" }
      #expect(failure?.description.hasPrefix(beginning + (name.hasSuffix("~") ? "" : " does not exist")) == true)
      #expect(failure?.description.contains("secret") == false && "\(future)".contains("secret") == false)
      #expect("\(future)".hasPrefix("FutureImage(" + name.prefix { $0 != "~" }.trimmingCharacters(in: .whitespaces)))
    }
  }

  @Test func `the failure of a future has that future's spelling of the URL, and a source is described by its path or its key`()
    async throws
  {
    let fixture = LoaderFixture { $0.retry = .never }
    let spellings = ["https://shop.test/a.jpg", "https://SHOP.test/a.jpg"]
    let futures = spellings.compactMap(URL.init(string:)).map { FutureImage(.url($0), loader: fixture.loader) }
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: 404))
    for (future, spelling) in zip(futures, spellings) {
      let failure = await #expect(throws: FutureImage.Failure.self) { try await future.value }
      #expect(failure?.description == "The image \(spelling) does not exist on the server (status 404); check its URL.")
    }
    let source = FutureImage.Source.file(URL(fileURLWithPath: "/tmp/my photo.jpg"))
    #expect("\(source)" == "/tmp/my photo.jpg" && source.key == "file file:///tmp/my%20photo.jpg")
    for name in ["cover", "cover of https://shop.test/a.jpg"] {
      #expect("\(FutureImage.Source.url(LoaderFixture.url(), key: name))" == name)
    }
  }
}
