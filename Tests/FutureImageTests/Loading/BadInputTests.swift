import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Bad responses of a server. Each one causes one typed failure. The placeholder stays, nothing bad is stored, and other images load.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct BadInputTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let answer: LoopbackServer.Answer
    let isExpected: @Sendable (FutureImage.Failure.Reason) -> Bool
    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "404", answer: .status(404)) { $0 == .status(404) },
    Case(name: "HTML", answer: .ok(Data("<html>Not found</html>".utf8), contentType: "image/jpeg")) { $0.isUndecodable },
    Case(name: "an empty body", answer: .ok(Data(), contentType: "image/jpeg")) { $0 == .empty },
    Case(name: "no content", answer: .status(204)) { $0 == .empty },
    Case(name: "a truncated body", answer: .ok(jpeg, contentType: "image/jpeg").truncated(after: 1_000)) {
      $0 == .transport(.truncated)
    },
    Case(name: "a closed connection", answer: .close) { $0.isTransport },
    Case(name: "a reset connection", answer: .ok(jpeg, contentType: "image/jpeg").reset(after: 1_000)) { $0.isTransport },
    Case(name: "an image that ends early", answer: .ok(jpeg.prefix(jpeg.count / 2), contentType: "image/jpeg")) { $0.isUndecodable },
    Case(name: "65,500 × 65,500 declared pixels", answer: .ok(enormous, contentType: "image/jpeg")) { $0.isTooManyPixels },
    Case(name: "a redirect to a file", answer: .redirect(to: "file:///etc/passwd")) { $0.isRefused },
    Case(name: "an endless redirect", answer: .redirect(to: "/bad")) { $0.isMalformed },
    Case(name: "a body above the limit", answer: .ok(Data(count: 300_000), contentType: "image/jpeg")) { $0 == .tooLarge(limit: 200_000) },
    Case(name: "an enormous declared length", answer: .ok(jpeg, contentType: "image/jpeg").declaring(contentLength: 1 << 40)) {
      $0 == .tooLarge(limit: 200_000)
    }
  ]

  static let jpeg = SampleImage.noise(400, 300)
  /// The bytes of the JPEG, with a frame header that declares 65,500 × 65,500 pixels.
  static let enormous: Data = {
    var bytes = [UInt8](jpeg)
    for index in 0..<bytes.count - 9 where bytes[index] == 0xFF && bytes[index + 1] == 0xC0 {
      bytes.replaceSubrange(index + 5..<index + 9, with: [0xFF, 0xDC, 0xFF, 0xDC])
      break
    }
    return Data(bytes)
  }()

  @Test(arguments: cases) func `a bad response makes its image fail once, with the expected reason, and affects no other image`(_ bad: Case)
    async throws
  {
    let server = try LoopbackServer()
    let gate = LoopbackServer.Gate()
    server.answer("/bad", bad.answer.held(by: gate))
    server.answer("/good", .ok(Self.jpeg, contentType: "image/jpeg"))
    let disk = FutureImage.DiskCache.temporary()
    var configuration = FutureImage.Loader.Configuration()
    configuration.diskCache = disk
    configuration.maxBytes = 200_000
    configuration.retry.firstDelay = .zero
    // The times are long enough for a busy machine. Otherwise, the answer that the gate holds could be too late, or its failure could be
    // forgotten.
    configuration.timeout = .seconds(3_600)
    configuration.stallTimeout = .seconds(3_600)
    configuration.retry.failureMemory = .seconds(3_600)
    let loader = FutureImage.Loader(configuration)
    let placeholder = SampleImage.image(10, 10)
    let future = FutureImage(at: server.url("/bad"), placeholder: .image(placeholder), loader: loader)
    let good = FutureImage(at: server.url("/good"), loader: loader)
    let view = await imageView(100)
    await MainActor.run { view.futureImage = future }
    gate.open()
    _ = try await good.value
    await loader.waitForIdle()
    #expect(try bad.isExpected(#require(future.failure).reason))
    await MainActor.run {
      #expect(view.image === future)
      #expect(view.image?.looksLike(placeholder) == true)
    }
    #expect(loader.statistics.failures == 1)
    await #expect { try await future.value } throws: { bad.isExpected(($0 as? FutureImage.Failure)?.reason ?? .cancelled) }
    #expect(try await disk.entry(forKey: future.key) == nil)
    #expect(try await disk.entry(forKey: good.key)?.body == Self.jpeg)
  }

  @Test(arguments: [
    "javascript:alert(1)", "about:blank", "ftp://h/x.jpg", "file:///etc/passwd", "relative.jpg", "http:///x.jpg", "HTTPX://h/x"
  ])
  func `a URL that cannot be loaded is refused before any request`(_ text: String) async throws {
    let fixture = LoaderFixture()
    let future = FutureImage(at: try #require(URL(string: text)), loader: fixture.loader)
    await #expect { try await future.value } throws: { ($0 as? FutureImage.Failure)?.reason.isRefused == true }
    #expect(fixture.held.requests.isEmpty)
  }
}
