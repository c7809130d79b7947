import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@Suite("Canceling one future does not cancel the others", .tags(.threads), .timeLimit(.minutes(5))) struct OneCancelTests {
  let fixture = LoaderFixture()

  @Test func `if all but one of ten thousand futures of a URL are canceled, the last one gets the image in one request`() async throws {
    let futures = (0..<10_000).map { _ in fixture.future() }
    await fixture.held.waitForRequests()
    for future in futures.dropLast() { future.cancel() }
    fixture.held.resolve(with: SampleImage.jpeg())
    let image = try await #require(futures.last).value
    #expect(image.size == CGSize(width: 64, height: 48))
    #expect(fixture.held.requests.count == 1)
    #expect(futures.dropLast().allSatisfy { if case .failed(let failure) = $0.phase { failure.reason == .cancelled } else { false } })
    #expect(fixture.loader.statistics.joined == 9_999)
  }

  @Test func `canceling one future does not cancel the transfer that another future shares`() async throws {
    let (first, second) = (fixture.future(), fixture.future())
    await fixture.held.waitForRequests()
    first.cancel()
    fixture.held.resolve(with: SampleImage.jpeg())
    _ = try await second.value
    #expect(fixture.held.cancelledCount == 0)
  }
}
