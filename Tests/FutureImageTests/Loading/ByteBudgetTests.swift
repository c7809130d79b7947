import Foundation
import Testing

@testable import FutureImage

/// The limit on the bytes that pictures retain.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ByteBudgetTests {
  private let fixture = LoaderFixture { $0.maxBytes = 50_000 }

  /// Returns futures with the given names, whose pictures retain 40,000 bytes each. The limit is 100,000 bytes, which is twice `maxBytes`.
  private func hold(_ names: [String], isStored: Bool = true) -> [FutureImage] {
    names.map { name in
      let future = fixture.idle(name)
      var encoded = Encoded(data: Data(count: 40_000), size: FutureImage.PixelSize(width: 8, height: 8), isFromDisk: false)
      encoded.isStored = isStored
      future.hold(encoded)
      return future
    }
  }

  private func areRetained(_ futures: [FutureImage]) -> [Bool] { futures.map { $0.retainedBytes != nil } }

  @Test func `the oldest bytes are released when the retained bytes exceed the limit`() {
    let futures = hold(["a", "b", "c", "d"])
    #expect(areRetained(futures) == [false, false, true, true])
    #expect(fixture.loader.heldByteCount == 80_000)
  }

  @Test func `retained bytes that a disk tier also has are released before bytes that no tier has`() {
    let futures = hold(["a"], isStored: false) + hold(["b", "c"])
    #expect(areRetained(futures) == [true, false, true])
  }

  @Test func `if no tier has any of the retained bytes, the oldest bytes are released`() {
    let futures = hold(["a", "b", "c"], isStored: false)
    #expect(areRetained(futures) == [false, true, true])
  }

  @Test func `new bytes of an image replace its former bytes`() {
    let futures = hold(["a"])
    var encoded = Encoded(data: Data(count: 10_000), size: FutureImage.PixelSize(width: 8, height: 8), isFromDisk: false)
    encoded.isStored = false
    futures[0].hold(encoded)
    #expect(fixture.loader.heldByteCount == 10_000)
  }

  @Test func `the byte budget releases the bytes of an image when the last future of that image is released`() {
    var futures = hold(["a", "b"])
    futures.removeLast()
    #expect(fixture.loader.heldByteCount == 40_000)
    futures = []
    #expect(fixture.loader.heldByteCount == 0)
  }

  @Test func `bytes larger than the limit are retained until other bytes arrive`() {
    let large = fixture.idle("large")
    large.hold(Encoded(data: Data(count: 200_000), size: FutureImage.PixelSize(width: 8, height: 8), isFromDisk: false))
    #expect(large.retainedBytes != nil)
    let other = hold(["other"])
    #expect(large.retainedBytes == nil && areRetained(other) == [true])
  }

  @Test func `the retained beginning of an incomplete body is released before complete bodies`() throws {
    let url = LoaderFixture.url("begun")
    let response = FutureImage.Response(status: 200, headers: ["etag": "\"1\"", "content-length": "60000", "accept-ranges": "bytes"])
    let partial = try #require(PartialBody(Data(count: 30_000), of: response))
    let begun = fixture.idle("begun")
    let picture = try #require(begun.withReader(\.picture) ?? nil)
    fixture.loader.state.withLock { state in
      state.bytes.hold(ByteBudget.Beginning(partial, from: url), in: picture, &state.departed)
    }
    #expect(begun.withReader { $0.picture?.remembered.beginning?.url } == url)
    let futures = hold(["a", "b"])
    #expect(areRetained(futures) == [true, true])
    #expect(begun.withReader { $0.picture?.remembered.beginning == nil } == true)
    #expect(fixture.loader.state.withLock { $0.bytes.takeBeginning(of: picture) == nil })
  }
}

extension FutureImage {
  /// Makes the future's picture retain the bytes.
  fileprivate func hold(_ encoded: Encoded) {
    guard let reader, let picture = reader.picture else { return }
    reader.descriptor.loader.state.withLock { state in state.bytes.hold(encoded, in: picture, &state.departed) }
  }
}
