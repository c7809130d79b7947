import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Transitions of the loader's tables, without a loader that performs their consequences.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct LoaderStateTests {
  typealias Loader = FutureImage.Loader

  enum Job: CaseIterable { case lookup, transfer, decode }

  private func makeState() -> Loader.State { Loader.State(Loader.Configuration()) }

  @Test(arguments: Job.allCases) func `no lull lasts beyond the end of a job`(job: Job) {
    var state = makeState()
    let before = state.lull.look()
    switch job {
    case .lookup: _ = state.finishLookup(Loader.LookupKey("a", HeldTier()), run: 1)
    case .transfer: _ = state.finishTransfer("a", run: 1)
    case .decode: _ = state.finishDecode(PixelPool.Key(variant: PixelPool.Variant(source: "a"), step: .full), run: 1)
    }
    state.lull.lookAgain(before)
    #expect(!state.lull.lasts)
  }

  @Test func `a run that is heard from is not silent`() {
    var state = makeState()
    state.silence.beginWatching([1, 2])
    state.heard(1)
    let silent = state.silence.look(at: [1, 2])
    #expect(silent == [2])
  }

  @Test func `progress is news if it changes or bytes have arrived, and always a sign of life`() throws {
    var state = makeState()
    let descriptor = Descriptor(
      source: .data(key: "a") { Data() }, policy: .modelOnly, size: nil, transform: nil, priority: .normal,
      loader: Loader(Loader.Configuration()))
    let request = LoadRequest(.bytes, of: FutureImage())
    let input = Loader.TransferInput(descriptor, missed: [], .first)
    _ = state.transfers.want("a", reason: .created, waiter: request, input: input)
    let run = try #require(state.transfers.run(of: "a"))
    state.silence.beginWatching([run])
    var news: [Bool] = []
    for (fraction, hasGrown) in [(nil, false), (nil, false), (nil, true), (0.5, false), (0.5, false)] as [(Double?, Bool)] {
      news.append(!state.advanceTransfer("a", run: run, to: fraction, hasGrown: hasGrown).isEmpty)
    }
    #expect(news == [true, false, true, true, false])
    let repeated = state.advanceTransfer("a", run: run, to: 0.5)
    #expect(repeated.isEmpty)
    let silent = state.silence.look(at: [run])
    #expect(silent.isEmpty)
  }

  @Test func `a run that is not wanted any more is not parked`() {
    var state = makeState()
    let isParked = state.parkTransfer("a", run: 1, Transfer.Past())
    #expect(!isParked)
  }
}
