import Foundation
import FutureImage
import FutureImageTesting
import Testing

private let url = Shop.url()
private let jpeg = Picture.jpeg()

@MainActor private final class Cell {
  let imageView = UIImageView(frame: CGRect(x: 0, y: 0, width: 80, height: 60))
}

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct TestingYourAppPage {
  @MainActor @Test func cellShowsItsPicture() async {
    let fetcher = HeldFetcher()
    let loader = FutureImage.Loader(.held(by: fetcher))
    let cell = Cell()

    cell.imageView.futureImage = FutureImage(at: url, loader: loader)
    await fetcher.waitForRequests()
    #expect(cell.imageView.futureImage?.phase.isFinal == false)

    fetcher.resolve(with: jpeg)
    await loader.settled()
    #expect(cell.imageView.image?.size == CGSize(width: 64, height: 48))
  }

  @Test func `models use the loader of their decoder`() async throws {
    let fetcher = HeldFetcher()
    let loader = FutureImage.Loader(.held(by: fetcher))
    let json = Data(#"{ "title": "A", "photo": "\#(url.absoluteString)" }"#.utf8)
    let decoder = JSONDecoder()
    decoder.userInfo[FutureImage.loaderKey] = loader
    let item = try decoder.decode(Item.self, from: json)
    _ = item.photo
    await fetcher.waitForRequests()
  }

  @Test func `a retry comes when the clock says so`() async throws {
    let fetcher = HeldFetcher()
    let clock = ManualClock()
    var configuration = FutureImage.Loader.Configuration.held(by: fetcher)
    configuration.clock = clock
    let loader = FutureImage.Loader(configuration)
    let future = FutureImage(at: url, loader: loader)

    await fetcher.waitForHeld()
    fetcher.fail(url, .status(503))
    await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    await fetcher.waitForRequests(2)
    fetcher.resolve(with: jpeg)
    #expect(try await future.value.size.width == 64)
  }

  @Test func `a server misbehaves, and holds its answer`() async throws {
    var configuration = FutureImage.Loader.Configuration()
    configuration.diskCache = nil
    let loader = FutureImage.Loader(configuration)

    let server = try LoopbackServer()
    server.answer("/a.jpg", .status(503), .ok(jpeg, contentType: "image/jpeg").eTag("v1"))
    let future = FutureImage(at: server.url("/a.jpg"), loader: loader)
    let picture = try await future.value
    #expect(picture.size.width == 64)

    let gate = LoopbackServer.Gate()
    server.answer("/slow.jpg", .ok(jpeg).heldBody(after: 100, by: gate))
    let slow = FutureImage(at: server.url("/slow.jpg"), loader: loader)
    await gate.waitForArrival()
    gate.open()
    #expect(try await slow.value.size.width == 64)
  }

  @Test func `the loader counts what it did`() async throws {
    let shop = Shop()
    let loader = shop.loader
    let future = shop.future()
    await shop.serve()
    _ = try await future.value
    #expect(loader.statistics.requests == 1)
    #expect(loader.statistics.decodes == 1)
  }
}
