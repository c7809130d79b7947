import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Where no disk tier has a picture's bytes, its futures have them for each other.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct KeptBytesTests {
  let shop = Shop()

  @Test func `a new future takes the bytes that another of its key keeps`() async throws {
    let keeper = shop.future(policy: .modelOnly)
    await shop.serve()
    let newcomer = shop.future(policy: .modelOnly)
    #expect(newcomer.phase.name == "fetched")
    #expect(shop.held.requests.count == 1)
    withExtendedLifetime(keeper) {}
  }

  /// A reload and rotten bytes make a future let go of what it kept, on any thread.
  @Test func `bytes that are let go of while a new future asks for them are fetched instead`() async {
    let keeper = shop.future(policy: .modelOnly)
    await shop.serve()
    let kept = keeper.keptBytes
    let shop = shop
    for _ in 0..<20 {
      await race {
        for number in 0..<1_000 { keeper.state.withLock { $0.encoded = number % 2 == 0 ? nil : kept } }
      } _: {
        for _ in 0..<300 {
          let newcomer = shop.future(policy: .modelOnly)
          let (hasBytes, isAsking) = newcomer.state.withLock { ($0.encoded != nil, $0.bytesTicket != nil) }
          if hasBytes == isAsking { Issue.record("bytes: \(hasBytes), asking: \(isAsking)") }
        }
      }
    }
    await shop.loader.settled()
  }
}
