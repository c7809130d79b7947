import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Tests that the loader retains the bytes of an image whose decode runs out of memory.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct OutOfMemoryTests {
  /// A decoder that lacks memory until the test provides it.
  private struct Exhausted: FutureImage.ImageDecoder {
    let isExhausted: Lock<Bool>
    private let standard = FutureImage.StandardDecoder()

    init(_ isExhausted: Lock<Bool>) { self.isExhausted = isExhausted }

    func size(of data: Data) throws -> FutureImage.PixelSize { try standard.size(of: data) }

    func decode(_ data: Data, size: FutureImage.PixelSize) throws -> CGImage {
      guard !isExhausted.withLock({ $0 }) else { throw FutureImage.Failure(.outOfMemory) }
      return try standard.decode(data, size: size)
    }
  }

  @Test func `if a decode runs out of memory, the bytes are retained, and decoded when there is memory again`() async throws {
    let isExhausted = Lock(true)
    let fixture = LoaderFixture { $0.decoder = Exhausted(isExhausted) }
    let future = fixture.future()
    await fixture.serve()
    let failure = await #expect(throws: FutureImage.Failure.self) { try await future.value }
    #expect(failure?.reason == .outOfMemory)
    #expect(failure?.isTransient == false)
    isExhausted.withLock { $0 = false }
    // While the loader remembers the failure, it does not try the decode again.
    fixture.clock.advance(by: fixture.loader.configuration.retry.failureMemory)
    #expect(try await future.value.cgImage?.width == 1200)
    #expect(fixture.held.requests.count == 1)
  }
}
