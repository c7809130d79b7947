import Foundation
import FutureImage

/// Runs a scenario once per seed, each time with a different order of events from the network, the disk, the clock, and the main queue.
///
///     @MainActor @Test func aCellShowsItsImage() async throws {
///       try await simulate(seeds: 1...200) { world in
///         world.serve(url, jpeg)
///         let cell = Cell()
///         cell.imageView.futureImage = FutureImage(at: url, loader: world.loader)
///         try await world.happen()
///         cell.prepareForReuse()
///         try await world.settle()
///         try world.expect(cell.imageView.image == nil, "an unused cell shows an image")
///       }
///     }
///
/// The same seed makes the same choices, so a failing scenario fails again with `simulate(seeds: [17])`. This requires that the scenario
/// and the code under test run on the main actor and draw all randomness from the world.
///
/// A scenario starts with an empty loader. `simulate` runs all pending events after the scenario ends. The loader's own threads run as in
/// an app, in an order that the seed does not choose. This library's own tests search for thread orders that cause failures.
/// - Parameters:
///   - seeds: the seeds, one run for each.
///   - configuration: the loader's configuration. The world replaces its fetcher, disk cache, clock, and time of day.
///   - fileID: the file named in the error.
///   - line: the line named in the error.
///   - scenario: the code under test, and its expectations.
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
      // Complete the remaining events, because held calls would otherwise never end. Cancellation must not stop this, so it runs in a
      // separate task.
      await Task { try? await world.settle() }.value
      if error is CancellationError { throw error }
      throw SimulationFailure(seed: seed, error: error, story: story, at: CallSite(fileID, line))
    }
  }
}

/// The failure of a scenario, with its seed and the events before it.
///
///     CellTests.swift:31: seed 17: the cell shows another image
///     1. https://example.com/a.jpg begins
///     2. https://example.com/a.jpg ends
///     Run it again: simulate(seeds: [17])
public struct SimulationFailure: Error, Sendable, CustomStringConvertible, LocalizedError {
  /// The seed that reproduces the failure.
  public let seed: UInt64
  /// The scenario's error.
  public let error: any Error
  /// The events so far, one per line.
  public let story: [String]
  private let place: CallSite

  init(seed: UInt64, error: any Error, story: [String], at place: CallSite) {
    self.seed = seed
    self.error = error
    self.story = story
    self.place = place
  }

  /// The line of the test, the seed, the error, and the story.
  public var description: String {
    let lines = story.enumerated().map { "\($0 + 1). \($1)" }
    return (["\(place): seed \(seed): \(error)"] + lines + ["Run it again: simulate(seeds: [\(seed)])"]).joined(separator: "\n")
  }

  public var errorDescription: String? { description }
}

/// An unmet expectation of a scenario.
struct UnmetExpectation: Error, CustomStringConvertible {
  let description: String
}
