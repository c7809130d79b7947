import Foundation
import FutureImage
import FutureImageTesting
import Observation
import Testing

private let url = URL(string: "https://shop.example/a.jpg") ?? URL(filePath: "/")
private let jpeg = TestImage(width: 64, height: 48).jpeg

private func photo(_ width: Int) -> URL { url.deletingLastPathComponent().appendingPathComponent("\(width).jpg") }

@MainActor private final class Cell {
  let imageView = UIImageView(frame: CGRect(x: 0, y: 0, width: 80, height: 60))
}

private struct Item: Decodable {
  let title: String
  @FutureImage.FromURL var photo: FutureImage
}

@MainActor @Observable private final class Model {
  private(set) var title = ""
  func load() { Task { title = "Red" } }
}

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct TestingYourAppPage {
  @Suite(.timeLimit(.minutes(2))) @MainActor struct CellTests {
    @Test func cellShowsItsPicture() async throws {
      let fetcher = HeldFetcher()
      let loader = FutureImage.Loader(.held(by: fetcher))
      let cell = Cell()

      cell.imageView.futureImage = FutureImage(at: url, loader: loader)
      try await fetcher.waitForRequests()
      #expect(cell.imageView.futureImage?.phase.isFinal == false)

      fetcher.resolve(with: jpeg)
      try await loader.waitUntilIdle(within: .standard)
      #expect(cell.imageView.image?.size == CGSize(width: 64, height: 48))
    }
  }

  @Test func `TestImage makes JPEG, PNG, and GIF files, and noise makes a longer file`() {
    let photo = TestImage(width: 640, height: 480, color: .blue).jpeg
    let longBody = TestImage(width: 640, height: 480, noiseSeed: 1).png
    let animation = TestImage.gif(
      frames: [TestImage(color: .red), TestImage(color: .green)], frameDuration: .milliseconds(200))
    #expect(!photo.isEmpty && photo.count < longBody.count && !animation.isEmpty)
  }

  @Test func `waits for requests and for an idle loader accept a time limit`() async throws {
    let fetcher = HeldFetcher()
    let loader = FutureImage.Loader(.held(by: fetcher))
    let futures = ["a", "b"].map { FutureImage(at: url.appendingPathComponent($0), loader: loader) }
    Task {
      try await fetcher.waitForHeld(2)
      fetcher.resolve(with: jpeg)
    }
    try await fetcher.waitForRequests(2)
    try await fetcher.waitForRequests(2, within: .seconds(5))
    try await loader.waitUntilIdle(within: .seconds(5))
    withExtendedLifetime(futures) {}
  }

  @MainActor @Test func `eventually waits until a view model has its title`() async throws {
    let model = Model()
    model.load()
    try await eventually("the title is “Red”, not “\(model.title)”") { model.title == "Red" }
  }

  @Test func `a fetcher holds as many requests to a host as the loader's limit allows`() async throws {
    let fetcher = HeldFetcher()
    var configuration = FutureImage.Loader.Configuration.held(by: fetcher)
    configuration.maxTransfersPerHost = 20
    let loader = FutureImage.Loader(configuration)
    let futures = (1...20).map { FutureImage(at: photo($0), loader: loader) }
    try await fetcher.waitForHeld(20)
    #expect(Set(fetcher.heldRequests.map(\.url)) == Set(futures.compactMap(\.url)))
  }

  @Test func `a decoded model uses the loader in the userInfo of its decoder`() async throws {
    let fetcher = HeldFetcher()
    let loader = FutureImage.Loader(.held(by: fetcher))
    let json = Data(#"{ "title": "A", "photo": "https://shop.example/a.jpg" }"#.utf8)
    let decoder = JSONDecoder()
    decoder.userInfo[FutureImage.loaderKey] = loader
    let item = try decoder.decode(Item.self, from: json)
    _ = item.photo
    try await fetcher.waitForRequests()
  }

  @Test func `a retry starts when the clock is advanced`() async throws {
    let fetcher = HeldFetcher()
    let clock = ManualClock()
    var configuration = FutureImage.Loader.Configuration.held(by: fetcher)
    configuration.clock = clock
    let loader = FutureImage.Loader(configuration)
    let future = FutureImage(at: url, loader: loader)

    try await fetcher.waitForHeld()
    fetcher.fail(url, .status(503))
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    try await fetcher.waitForRequests(2)
    fetcher.resolve(with: jpeg)
    #expect(try await future.value.size.width == 64)
  }

  @MainActor @Test func recycledCellsShowTheirOwnRows() async throws {
    let widths = [64, 65, 66, 67]
    try await simulate(seeds: 1...50) { world in
      let futures = widths.map { width in
        world.serve(photo(width), TestImage(width: width, height: 48).jpeg)
        return FutureImage(at: photo(width), loader: world.loader)
      }
      let cell = Cell()
      for _ in 0..<6 {
        let row = Int.random(in: 0..<4, using: &world.random)
        world.note("the cell is for row \(row)")
        cell.imageView.futureImage = futures[row]
        try await world.happen()
        let isWaiting = cell.imageView.futureImage != nil
        try world.expect(isWaiting || cell.imageView.image?.size.width == CGFloat(widths[row]), "row \(row) has another row's image")
      }
    }
  }

  @Test func `an image loads after a status of 503, and another image loads after the gate of its body opens`() async throws {
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
    try await gate.waitForArrival()
    gate.open()
    #expect(try await slow.value.size.width == 64)
  }

  @Test func `the loader counts its requests and decodes`() async throws {
    let fetcher = HeldFetcher()
    let loader = FutureImage.Loader(.held(by: fetcher))
    let future = FutureImage(at: url, loader: loader)
    try await fetcher.waitForHeld()
    fetcher.resolve(with: jpeg)
    _ = try await future.value
    #expect(loader.statistics.requests == 1)
    #expect(loader.statistics.decodes == 1)
  }
}
