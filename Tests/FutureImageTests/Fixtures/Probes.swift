import Foundation

@testable import FutureImage

/// Answers about the state of a future, for tests of something else. Tests of the state itself read it directly.
extension FutureImage {
  var waiterCount: Int { withReader(\.waiters.count) ?? 0 }
  /// Whether it has a request for bytes that is not answered.
  var requestsBytes: Bool { withReader(\.isPending) ?? false }
  /// The number of its request for bytes; nil if it has none.
  var requestNumber: UInt32? { withReader { $0.isPending ? $0.requestNumber : nil } ?? nil }
  var requestsPixels: Bool { withReader { !$0.decodes.isEmpty } ?? false }
  var generation: UInt32 { withReader { $0.picture?.generation ?? 0 } ?? 0 }
  var isBound: Bool { withReader(\.isBound) ?? false }
  /// The size of the whole image in pixels; nil until its bytes have arrived.
  var wholeSize: FutureImage.PixelSize? { withReader(\.fullSize) ?? nil }
  /// The encoded bytes that its picture holds.
  var retainedBytes: Encoded? { withReader(\.picture?.encoded) ?? nil }
  var hasReloadWaiters: Bool { withReader { $0.observers?.hasReloads == true } ?? false }
  /// Whether a stream of its phases waits for the next one.
  var hasPhaseStreams: Bool { withReader { $0.observers?.streams.isEmpty == false } ?? false }
  var urgency: Rank.Reason? { withReader(\.urgency) }
  var best: UIImage? { withReader(\.largestDecode) ?? nil }
  /// The progress of the bytes, which may not be visible yet.
  var stage: Stage? { withReader(\.stage) }
  @MainActor var bindings: [Binding] { reader.map { Array($0.bindings) } ?? [] }
}

extension FutureImage {
  /// Gets the pixels that are needed and missing.
  func loadMissing(_ steps: Set<DecodeStep> = [], retrying: Retrying) {
    guard let reader else { return }
    reader.descriptor.loader.loadMissing(reader, steps, retrying: retrying)
  }

  /// Gives the future decoded pixels, as a decode does.
  func adopt(_ image: UIImage) {
    guard let reader else { return }
    let loader = reader.descriptor.loader
    loader.change { loader.adopt(image, reader, &$0) }
  }

  /// Gives its picture bytes, as if a request had got them.
  func give(_ encoded: Encoded) {
    guard let reader, let picture = reader.picture else { return }
    let loader = reader.descriptor.loader
    loader.change { state in
      state.bytes.hold(encoded, in: picture, &state.departed)
      loader.deliverBytes(encoded, to: reader, &state)
    }
  }

  /// Revalidates its image if that is stale.
  func revalidate() {
    guard let reader else { return }
    let loader = reader.descriptor.loader
    let now = loader.configuration.now()
    loader.change { loader.revalidate(reader, at: now, &$0) }
  }

  /// Requests its bytes again.
  func requestBytesAgain() {
    guard let reader else { return }
    let loader = reader.descriptor.loader
    loader.change { state in
      loader.request(reader, .bytes)
      loader.findBytes(reader, at: .now, &state)
    }
  }
}

/// Answers about the tables of a loader.
extension FutureImage.Loader {
  /// The number of living futures.
  var futureCount: Int { state.withLock { $0.pictures.readerCount } }
  var transferCount: Int { state.withLock { $0.fetches.count } }
  var waitingTransferCount: Int { state.withLock { $0.fetches.waitingCount } }
  var decodeCount: Int { state.withLock { $0.decodes.count } }
  var waitingDecodeCount: Int { state.withLock { $0.decodes.waitingCount } }
  var lookupCount: Int { state.withLock { $0.lookups.count } }
  /// The number of transfers that have a slot.
  var slotCount: Int { state.withLock { $0.fetches.runsWithSlots.count } }
  /// The number of transfers that wait for code of the app.
  var calloutCount: Int { state.withLock { $0.stallDetector.callouts.count } }
  var isIdle: Bool { state.withLock { $0.isIdle } }

  func generation(of key: SourceKey) -> UInt32 { state.withLock { $0.pictures[key]?.generation ?? 0 } }

  /// The number of futures that wait for the key's transfer.
  func transferWaiterCount(of key: SourceKey) -> Int { Int(state.withLock { $0.pictures[key]?.fetch?.readerCount ?? 0 }) }

  /// The bytes of the pixels that wait for the main actor.
  var arrivedByteCount: Int { state.withLock { $0.work.arrivedBytes } }
  /// The number of pictures that are known.
  var pictureCount: Int { state.withLock { $0.pictures.count } }

  /// The number of failures of the key's source since it had its image.
  func failureCount(of key: SourceKey) -> Int { state.withLock { $0.pictures[key]?.remembered.failureMemory.count ?? 0 } }

  /// The bytes that the loader's pictures hold.
  var heldByteCount: Int { state.withLock { $0.bytes.total } }
}

extension Registry {
  /// The number of pictures that are known.
  var count: Int { (0..<Self.partCount).map { pictures(inPart: $0).count }.reduce(0, +) }
  /// The number of pictures that wait to be written.
  var stagedCount: Int { (0..<Self.partCount).map { pictures(inPart: $0).count { $0.staged != nil } }.reduce(0, +) }
  /// The number of pictures of which views show previews.
  var previewCount: Int { (0..<Self.partCount).map { pictures(inPart: $0).count { $0.notes.hasPreviews } }.reduce(0, +) }
}
