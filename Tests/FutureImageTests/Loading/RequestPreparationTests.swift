import Foundation
import Testing

@testable import FutureImage
@testable import FutureImageTesting

/// Header fields of every request, and the hook that changes each request.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct RequestPreparationTests {
  private struct Down: Error {}

  @Test func `every request has the loader's header fields, and a source's replace them in any letter case`() async {
    let shop = Shop { $0.headers = ["User-Agent": "Shop", "Accept-Language": "en"] }
    let plain = shop.future()
    await shop.held.waitForHeld()
    #expect(shop.held.requests.first?.headers == ["User-Agent": "Shop", "Accept-Language": "en"])
    let own = FutureImage(.url(Shop.url("b"), headers: ["user-agent": "Me"]), loader: shop.loader)
    await shop.held.waitForRequests(2)
    #expect(shop.held.requests.last?.headers == ["user-agent": "Me", "Accept-Language": "en"])
    withExtendedLifetime((plain, own)) {}
  }

  @Test func `the loader's header fields are sent to another origin, and a source's are not`() async {
    let shop = Shop { $0.headers = ["User-Agent": "Shop"] }
    let future = FutureImage(.url(Shop.url(), headers: ["Authorization": "me"]), loader: shop.loader)
    await shop.held.waitForHeld()
    shop.held.answer(nil, FutureImage.Response(status: 302, headers: ["location": "https://other.test/b.jpg"]))
    await shop.held.waitForRequests(2)
    #expect(shop.held.requests.last?.headers == ["User-Agent": "Shop"])
    withExtendedLifetime(future) {}
  }

  @Test func `the hook changes the request of each attempt and of each redirect`() async throws {
    let calls = Lock(0)
    let shop = Shop {
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
    let future = shop.future()
    await shop.held.waitForHeld()
    shop.held.answer(nil, FutureImage.Response(status: 302, headers: ["location": "b.jpg"]))
    await shop.held.waitForRequests(2)
    shop.held.fail()
    await shop.clock.waitForSleepers()
    shop.clock.advance(by: .seconds(60))
    await shop.held.waitForRequests(3)
    shop.held.resolve(with: Picture.jpeg())
    _ = try await future.value
    #expect(shop.held.requests.map { $0.headers["Signature"] } == ["a.jpg 1", "b.jpg 2", "a.jpg 3"])
    #expect(shop.held.requests.map { $0.url.query() } == ["signed=1", "signed=2", "signed=3"])
    #expect(future.key == Shop.url().absoluteString)
  }

  @Test func `an error of the hook fails the attempt, and the next attempt may succeed`() async throws {
    let hasFailed = Lock(false)
    let shop = Shop {
      $0.prepareRequest = { request in
        let isFirst = hasFailed.withLock { hasFailed in
          defer { hasFailed = true }
          return !hasFailed
        }
        if isFirst { throw Down() }
        return request
      }
    }
    let future = shop.future()
    await shop.clock.waitForSleepers()
    shop.clock.advance(by: .seconds(60))
    await shop.held.waitForHeld()
    shop.held.resolve(with: Picture.jpeg())
    _ = try await future.value
    #expect(shop.held.requests.count == 1)
  }

  @Test func `a permanent failure of the hook fails the image`() async {
    let shop = Shop { $0.prepareRequest = { _ in throw FutureImage.Failure(.refused("nobody has signed in")) } }
    let future = shop.future()
    await #expect { try await future.value } throws: {
      ($0 as? FutureImage.Failure)?.reason == .refused("nobody has signed in")
    }
    #expect(shop.held.requests.isEmpty)
  }

  @Test(arguments: ["ftp://shop.test/a.jpg", "file:///etc/hosts", "data:,", "shop.test/a.jpg"])
  func `the hook is called for http and https only`(_ text: String) async throws {
    let calls = Lock(0)
    let shop = Shop { configuration in
      configuration.prepareRequest = { request in
        calls.withLock { $0 += 1 }
        return request
      }
    }
    let future = FutureImage(at: try #require(URL(string: text)), loader: shop.loader)
    await #expect(throws: FutureImage.Failure.self) { try await future.value }
    #expect(calls.withLock { $0 } == 0)
  }

  @Test func `the hook may not change a request to one for a file`() async {
    let shop = Shop {
      $0.prepareRequest = { request in
        var request = request
        request.url = URL(fileURLWithPath: "/etc/passwd")
        return request
      }
    }
    let future = shop.future()
    await #expect(throws: FutureImage.Failure.self) { try await future.value }
    #expect(future.failure?.isTransient == false)
    #expect(shop.held.requests.isEmpty)
  }
}
