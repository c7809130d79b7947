import Foundation
import FutureImage

/// Runs a scenario once for each seed, each time with another order of what the network, the disk, the clock and the main queue do.
///
///     @MainActor @Test func aCellShowsItsPicture() async throws {
///       try await simulate(seeds: 1...200) { world in
///         world.serve(url, jpeg)
///         let cell = Cell()
///         cell.imageView.futureImage = FutureImage(at: url, loader: world.loader)
///         try await world.happen()
///         cell.prepareForReuse()
///         try await world.settle()
///         try world.expect(cell.imageView.image == nil, "a cell that is not used any more got a picture")
///       }
///     }
///
/// The same seed makes the same choices, so a scenario that fails fails again with `simulate(seeds: [17])`. It depends on nothing else as
/// long as the scenario and what it tests are on the main actor, and draw what is random from the world.
///
/// A scenario begins with an empty loader, and when it has ended all that is under way is let happen. The loader's own threads run as they do
/// in an app: an order of theirs that matters is looked for by this library's own tests.
/// - Parameters:
///   - seeds: one run for each.
///   - configuration: the loader's, but for fetcher, disk cache, clock and time of day, which are the world's.
///   - fileID: the file of the error.
///   - line: the line of the error.
///   - scenario: the code under test, and what is to be true of it.
/// - Throws: ``SimulationFailure`` when the scenario throws, and `CancellationError`.
@MainActor public func simulate(
  seeds: some Sequence<UInt64> = 1...100, configuration: FutureImage.Loader.Configuration = FutureImage.Loader.Configuration(),
  fileID: StaticString = #fileID, line: UInt = #line,
  _ scenario: @MainActor (SimulatedWorld) async throws -> Void
) async throws {
  for seed in seeds {
    try Task.checkCancellation()
    let world = SimulatedWorld(seed: seed, configuration)
    do {
      try await scenario(world)
      try await world.settle()
    } catch {
      let story = world.story
      // Whoever is held would never end; cancellation is not to end this.
      await Task { try? await world.settle() }.value
      if error is CancellationError { throw error }
      throw SimulationFailure(seed: seed, error: error, story: story, at: CallSite(fileID, line))
    }
  }
}

/// A scenario that failed, with its seed and what had happened by then.
///
///     CellTests.swift:31: seed 17: the cell shows another picture
///     1. https://example.com/a.jpg begins
///     2. https://example.com/a.jpg ends
///     Run it again: simulate(seeds: [17])
public struct SimulationFailure: Error, Sendable, CustomStringConvertible, LocalizedError {
  /// The seed to run it again with.
  public let seed: UInt64
  /// What the scenario threw.
  public let error: any Error
  /// What had happened, a line each.
  public let story: [String]
  private let place: CallSite

  init(seed: UInt64, error: any Error, story: [String], at place: CallSite) {
    self.seed = seed
    self.error = error
    self.story = story
    self.place = place
  }

  /// The line of the test, the seed, the error and the story.
  public var description: String {
    let lines = story.enumerated().map { "\($0 + 1). \($1)" }
    return (["\(place): seed \(seed): \(error)"] + lines + ["Run it again: simulate(seeds: [\(seed)])"]).joined(separator: "\n")
  }

  public var errorDescription: String? { description }
}

/// What a scenario says is not true.
struct UnmetExpectation: Error, CustomStringConvertible {
  let description: String
}
