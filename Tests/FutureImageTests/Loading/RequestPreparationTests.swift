import Foundation
import Testing

@testable import FutureImage
@testable import FutureImageTesting

/// Header fields of every request, and the hook that changes each request.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct RequestPreparationTests {
  private struct ServerDown: Error {}

  @Test func `a request has the loader's header fields, except fields that the source sets, even if the letter case differs`() async {
    let fixture = LoaderFixture { $0.headers = ["User-Agent": "LoaderFixture", "Accept-Language": "en"] }
    let plain = fixture.future()
    await fixture.held.waitForHeld()
    #expect(fixture.held.requests.first?.headers == ["User-Agent": "LoaderFixture", "Accept-Language": "en"])
    let own = FutureImage(.url(LoaderFixture.url("b"), headers: ["user-agent": "Me"]), loader: fixture.loader)
    await fixture.held.waitForRequests(2)
    #expect(fixture.held.requests.last?.headers == ["user-agent": "Me", "Accept-Language": "en"])
    withExtendedLifetime((plain, own)) {}
  }

  @Test func `a redirect to another origin sends the loader's header fields, but not the source's header fields`() async {
    let fixture = LoaderFixture { $0.headers = ["User-Agent": "LoaderFixture"] }
    let future = FutureImage(.url(LoaderFixture.url(), headers: ["Authorization": "me"]), loader: fixture.loader)
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: 302, headers: ["location": "https://other.test/b.jpg"]))
    await fixture.held.waitForRequests(2)
    #expect(fixture.held.requests.last?.headers == ["User-Agent": "LoaderFixture"])
    withExtendedLifetime(future) {}
  }

  @Test func `prepareRequest changes the request of each attempt and of each redirect`() async throws {
    let calls = Lock(0)
    let fixture = LoaderFixture {
      $0.prepareRequest = { request in
        var request = request
        let call = calls.withLock { calls in
          calls += 1
          return calls
        }
        request.headers["Signature"] = "\(request.url.lastPathComponent) \(call)"
        request.url.append(queryItems: [URLQueryItem(name: "signed", value: "\(call)")])
        return request
      }
    }
    let future = fixture.future()
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: 302, headers: ["location": "b.jpg"]))
    await fixture.held.waitForRequests(2)
    fixture.held.fail()
    await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .seconds(60))
    await fixture.held.waitForRequests(3)
    fixture.held.resolve(with: SampleImage.jpeg())
    _ = try await future.value
    #expect(fixture.held.requests.map { $0.headers["Signature"] } == ["a.jpg 1", "b.jpg 2", "a.jpg 3"])
    #expect(fixture.held.requests.map { $0.url.query() } == ["signed=1", "signed=2", "signed=3"])
    #expect(future.key == LoaderFixture.url().absoluteString)
  }

  @Test func `an error that prepareRequest throws fails the attempt, and the next attempt may succeed`() async throws {
    let hasFailed = Lock(false)
    let fixture = LoaderFixture {
      $0.prepareRequest = { request in
        let isFirst = hasFailed.withLock { hasFailed in
          defer { hasFailed = true }
          return !hasFailed
        }
        if isFirst { throw ServerDown() }
        return request
      }
    }
    let future = fixture.future()
    await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .seconds(60))
    await fixture.held.waitForHeld()
    fixture.held.resolve(with: SampleImage.jpeg())
    _ = try await future.value
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `a permanent failure that prepareRequest throws fails the image without a request`() async {
    let fixture = LoaderFixture { $0.prepareRequest = { _ in throw FutureImage.Failure(.refused("nobody has signed in")) } }
    let future = fixture.future()
    await #expect { try await future.value } throws: {
      ($0 as? FutureImage.Failure)?.reason == .refused("nobody has signed in")
    }
    #expect(fixture.held.requests.isEmpty)
  }

  @Test(arguments: ["ftp://shop.test/a.jpg", "file:///etc/hosts", "data:,", "shop.test/a.jpg"])
  func `prepareRequest is called only for http and https URLs`(_ text: String) async throws {
    let calls = Lock(0)
    let fixture = LoaderFixture { configuration in
      configuration.prepareRequest = { request in
        calls.withLock { $0 += 1 }
        return request
      }
    }
    let future = FutureImage(at: try #require(URL(string: text)), loader: fixture.loader)
    await #expect(throws: FutureImage.Failure.self) { try await future.value }
    #expect(calls.withLock { $0 } == 0)
  }

  @Test func `a request is refused if prepareRequest changes its URL to the URL of a file`() async {
    let fixture = LoaderFixture {
      $0.prepareRequest = { request in
        var request = request
        request.url = URL(fileURLWithPath: "/etc/passwd")
        return request
      }
    }
    let future = fixture.future()
    await #expect(throws: FutureImage.Failure.self) { try await future.value }
    #expect(future.failure?.isTransient == false)
    #expect(fixture.held.requests.isEmpty)
  }
}
