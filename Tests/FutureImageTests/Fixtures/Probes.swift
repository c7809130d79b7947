import Foundation

@testable import FutureImage

/// Properties and methods for tests that need the state of a future, but test another feature. Tests of the state itself access the state
/// directly.
extension FutureImage {
  var waiterCount: Int { withReader(\.waiters.count) ?? 0 }
  /// Whether the future has requested bytes that have not arrived.
  var requestsBytes: Bool { withReader(\.isPending) ?? false }
  /// The number of the pending request for bytes; nil if there is none.
  var requestNumber: UInt32? { withReader { $0.isPending ? $0.requestNumber : nil } ?? nil }
  var requestsPixels: Bool { withReader { !$0.decodes.isEmpty } ?? false }
  var generation: UInt32 { withReader { $0.picture?.generation ?? 0 } ?? 0 }
  var isBound: Bool { withReader(\.isBound) ?? false }
  /// The full size of the image; nil until its bytes have arrived.
  var wholeSize: FutureImage.PixelSize? { withReader(\.fullSize) ?? nil }
  /// The encoded bytes that the picture of the future retains.
  var retainedBytes: Encoded? { withReader(\.picture?.encoded) ?? nil }
  var hasReloadWaiters: Bool { withReader { $0.observers?.hasReloads == true } ?? false }
  /// Whether the future has streams of its phases.
  var hasPhaseStreams: Bool { withReader { $0.observers?.streams.isEmpty == false } ?? false }
  var urgency: Rank.Reason? { withReader(\.urgency) }
  /// The largest decoded image that the future has.
  var best: UIImage? { withReader(\.largestDecode) ?? nil }
  /// The progress of the bytes, which may not be visible yet.
  var stage: Stage? { withReader(\.stage) }
  @MainActor var bindings: [Binding] { reader.map { Array($0.bindings) } ?? [] }
}

extension FutureImage {
  /// Gets the pixels that the future needs and lacks.
  func loadMissing(_ steps: Set<DecodeStep> = [], retrying: Retrying) {
    guard let reader else { return }
    reader.descriptor.loader.loadMissing(reader, steps, retrying: retrying)
  }

  /// Delivers decoded pixels to the future, as a decode does.
  func adopt(_ image: UIImage) {
    guard let reader else { return }
    let loader = reader.descriptor.loader
    loader.change { loader.adopt(image, reader, &$0) }
  }

  /// Delivers bytes to the future and its picture, as a fetch does.
  func give(_ encoded: Encoded) {
    guard let reader, let picture = reader.picture else { return }
    let loader = reader.descriptor.loader
    loader.change { state in
      state.bytes.hold(encoded, in: picture, &state.departed)
      loader.deliverBytes(encoded, to: reader, &state)
    }
  }

  /// Revalidates the image of the future if the image is stale.
  func revalidate() {
    guard let reader else { return }
    let loader = reader.descriptor.loader
    let now = loader.configuration.now()
    loader.change { loader.revalidate(reader, at: now, &$0) }
  }

  /// Requests the bytes of the future again.
  func requestBytesAgain() {
    guard let reader else { return }
    let loader = reader.descriptor.loader
    loader.change { state in
      loader.request(reader, .bytes)
      loader.findBytes(reader, at: .now, &state)
    }
  }
}

/// Properties and methods that report the contents of a loader's tables.
extension FutureImage.Loader {
  /// The number of readers whose future still exists.
  var futureCount: Int { state.withLock { $0.pictures.readerCount } }
  var transferCount: Int { state.withLock { $0.fetches.count } }
  var waitingTransferCount: Int { state.withLock { $0.fetches.waitingCount } }
  var decodeCount: Int { state.withLock { $0.decodes.count } }
  var waitingDecodeCount: Int { state.withLock { $0.decodes.waitingCount } }
  var lookupCount: Int { state.withLock { $0.lookups.count } }
  /// The number of transfers that have a slot of the total limit or a slot of their host.
  var slotCount: Int { state.withLock { $0.fetches.runsWithSlots.count } }
  /// The number of transfers that wait for code of the app.
  var calloutCount: Int { state.withLock { $0.stallDetector.callouts.count } }
  var isIdle: Bool { state.withLock { $0.isIdle } }

  func generation(of key: SourceKey) -> UInt32 { state.withLock { $0.pictures[key]?.generation ?? 0 } }

  /// The number of readers of the key's transfer, including those for which it only revalidates the image.
  func transferWaiterCount(of key: SourceKey) -> Int { Int(state.withLock { $0.pictures[key]?.fetch?.readerCount ?? 0 }) }

  /// The size in bytes of the pixels that wait for the main actor.
  var arrivedByteCount: Int { state.withLock { $0.work.arrivedBytes } }
  /// The number of pictures in the loader's registry.
  var pictureCount: Int { state.withLock { $0.pictures.count } }

  /// The number of failures in the failure memory of the key's source.
  func failureCount(of key: SourceKey) -> Int { state.withLock { $0.pictures[key]?.remembered.failureMemory.count ?? 0 } }

  /// The number of encoded bytes in the loader's pictures that count against the limit.
  var heldByteCount: Int { state.withLock { $0.bytes.total } }
}

extension Registry {
  /// The number of pictures in the registry.
  var count: Int { (0..<Self.partCount).map { pictures(inPart: $0).count }.reduce(0, +) }
  /// The number of pictures whose bytes wait for disk writes.
  var stagedCount: Int { (0..<Self.partCount).map { pictures(inPart: $0).count { $0.staged != nil } }.reduce(0, +) }
  /// The number of pictures whose previews are shown by views while the bytes arrive.
  var previewCount: Int { (0..<Self.partCount).map { pictures(inPart: $0).count { $0.notes.hasPreviews } }.reduce(0, +) }
}
