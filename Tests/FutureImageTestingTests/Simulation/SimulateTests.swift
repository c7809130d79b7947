import Foundation
import Testing

@testable import FutureImage
@testable import FutureImageTesting

@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct SimulateTests {
  /// Rows whose images differ in width.
  private static let rows: [(url: URL, jpeg: Data)] = (0..<4).map { row in
    (URL(fileURLWithPath: "/").scheme("https", "rows.test/\(row).jpg"), TestImage(width: 64 + row, height: 48).jpeg)
  }

  /// A cell with a common bug. It awaits the images of several rows in tasks, and shows the image that arrives last.
  @MainActor private final class CarelessCell {
    var image: UIImage?

    func show(_ future: FutureImage) {
      image = nil
      Task { if let image = try? await future.value { self.image = image } }
    }
  }

  private func scrollCarelessly(_ world: SimulatedWorld) async throws {
    for row in Self.rows { world.serve(row.url, row.jpeg) }
    let futures = Self.rows.map { FutureImage(at: $0.url, loader: world.loader) }
    let cell = CarelessCell()
    for _ in 0..<6 {
      let row = Int.random(in: 0..<4, using: &world.random)
      world.note("row \(row) uses the cell")
      cell.show(futures[row])
      try await world.happen()
      try world.expect(cell.image.map { $0.size.width == CGFloat(64 + row) } ?? true, "row \(row) has another row's image")
    }
  }

  @Test func `simulate finds a cell that shows another row's image, and the seed reproduces the failure`() async throws {
    let failure = await #expect(throws: SimulationFailure.self) { try await simulate(seeds: 1...100) { try await scrollCarelessly($0) } }
    let found = try #require(failure)
    for _ in 0..<3 {
      let secondFailure = await #expect(throws: SimulationFailure.self) {
        try await simulate(seeds: [found.seed]) { try await scrollCarelessly($0) }
      }
      #expect(secondFailure?.story == found.story)
    }
    #expect(found.description.contains("has another row's image\n1. row "))
    #expect(found.description.hasSuffix("Run it again: simulate(seeds: [\(found.seed)])"))
  }

  @Test func `in a simulation, each view loads only its own row's image, and a seed repeats the same events`() async throws {
    var stories: [UInt64: [String]] = [:]
    try await simulate(seeds: Array(1...30) + Array(1...30)) { world in
      for row in Self.rows { world.serve(row.url, row.jpeg) }
      let policy: FutureImage.CachePolicy = Bool.random(using: &world.random) ? .tiers(disk: world.disk) : .modelOnly
      let futures = Self.rows.map { FutureImage(at: $0.url, cachePolicy: policy, loader: world.loader) }
      let views = (0..<3).map { _ in UIImageView(frame: CGRect(x: 0, y: 0, width: 80, height: 60)) }
      var shown = [0, 1, 2]
      for (view, row) in zip(views, shown) { view.futureImage = futures[row] }
      for _ in 0..<8 {
        let (view, row) = (Int.random(in: 0..<3, using: &world.random), Int.random(in: 0..<4, using: &world.random))
        shown[view] = row
        views[view].futureImage = futures[row]
        try await world.happen()
        for (view, row) in zip(views, shown) where view.futureImage == nil {
          try world.expect(view.image?.size.width == CGFloat(64 + row), "row \(row) shows \(view.image?.size as CGSize?)")
        }
      }
      try await world.settle()
      world.loader.retryFailed()
      try await world.settle()
      for (view, row) in zip(views, shown) {
        try world.expect(view.image?.size.width == CGFloat(64 + row) && view.futureImage == nil, "row \(row) is \(futures[row].phase)")
      }
      if let story = stories[world.seed] { #expect(story == world.story) }
      stories[world.seed] = world.story
    }
    #expect(Set(stories.values).count == 30)
  }

  @Test func `a reload shows the new image after the server has replaced the old image`() async throws {
    let (url, old) = Self.rows[0], new = Self.rows[1].jpeg
    var stories: Set<[String]> = []
    try await simulate(seeds: 1...40) { world in
      world.serve(url, old, new)
      let future = FutureImage(at: url, cachePolicy: .tiers(disk: world.disk), loader: world.loader)
      let view = UIImageView(frame: CGRect(x: 0, y: 0, width: 80, height: 60))
      view.futureImage = future
      for _ in 0..<30 where view.image?.size.width != 65 {
        future.reload()
        try await world.happen()
      }
      try await world.settle()
      let isNew = view.image?.size.width == 65
      try world.expect(
        isNew || !world.story.contains("\(url) is replaced"), "the view still shows the old image, and the phase is \(future.phase)")
      stories.insert(world.story)
    }
    #expect(stories.contains { $0.contains("\(url) has not changed") })
    #expect(stories.contains { $0.contains("\(url) begins") && $0.contains("\(url) breaks off") })
    #expect(stories.contains { story in story.contains { $0.hasPrefix("storing ") } })
  }

  @Test func `the method happen finishes no work if the limit is 0, and the method settle loads the image`() async throws {
    try await simulate(seeds: [1]) { world in
      let future = FutureImage(at: Self.rows[0].url, loader: world.loader)
      world.serve(Self.rows[0].url, Self.rows[0].jpeg)
      try await world.happen(atMost: 0)
      try world.expect(!future.phase.isFinal, "\(future.phase)")
      async let value = future.value
      try await world.settle()
      let width = try await value.size.width
      try world.expect(width == 64, "\(width)")
    }
  }

  @Test func `the simulated clock does not advance while real time passes`() async throws {
    try await simulate(seeds: [1]) { world in
      // The loader measures deadlines with this clock. If the clock jumps, the loader assumes that the process was suspended.
      let (clock, real) = (world.loader.configuration.runningClock, ContinuousClock.now)
      let start = clock.now
      try await eventually { real.duration(to: .now) >= .milliseconds(1) }
      #expect(clock.now == start)
    }
  }

  @Test func `an image that the server lacks fails with status 404`() async throws {
    try await simulate(seeds: 1...5) { world in
      let future = FutureImage(at: Self.rows[0].url, loader: world.loader)
      future.wait(.full) { _ in }
      try await world.settle()
      guard case .failed(let failure) = future.phase, failure.reason == .status(404) else {
        return try world.expect(false, "\(future.phase)")
      }
    }
  }
}

extension URL {
  fileprivate func scheme(_ scheme: String, _ rest: String) -> URL { URL(string: "\(scheme)://\(rest)") ?? self }
}
