@testable import FutureImage

/// Answers about the state of a future, for tests of something else. Tests of the state itself read it directly.
extension FutureImage {
  var waiterCount: Int { state.withLock { $0.waiters.count } }
  /// Whether it has a request for bytes that is not answered.
  var requestsBytes: Bool { state.withLock { $0.wish.isPending } }
  var bytesRequest: LoadRequest? { state.withLock { $0.wish.request } }
  var requestsPixels: Bool { state.withLock { !$0.pixelRequests.isEmpty } }
  var generation: UInt32 { state.withLock { $0.revision } }
  var isBound: Bool { state.withLock { $0.isBound } }
  /// The size of the whole image in pixels; nil until its bytes have arrived.
  var wholeSize: FutureImage.PixelSize? { state.withLock { $0.natural } }
  /// The encoded bytes that the future retains.
  var retainedBytes: Encoded? { state.withLock { $0.encoded } }
  var hasReloadWaiters: Bool { state.withLock { $0.observers?.reloads.isEmpty == false } }
  /// Whether a stream of its phases waits for the next one.
  var hasPhaseStreams: Bool { state.withLock { $0.observers?.streams.isEmpty == false } }
}

/// Answers about the tables of a loader.
extension FutureImage.Loader {
  /// The number of living futures.
  var futureCount: Int { state.withLock { $0.pictures.count } }
  var transferCount: Int { state.withLock { $0.transfers.count } }
  var waitingTransferCount: Int { state.withLock { $0.transfers.waitingCount } }
  var decodeCount: Int { state.withLock { $0.decodes.count } }
  var waitingDecodeCount: Int { state.withLock { $0.decodes.waitingCount } }
  var lookupCount: Int { state.withLock { $0.lookups.count } }
  /// The number of transfers that have a slot.
  var slotCount: Int { state.withLock { $0.transfers.runsWithSlots.count } }
  /// The number of transfers that wait for code of the app.
  var calloutCount: Int { state.withLock { $0.callouts.count } }
  var hasBacklog: Bool { state.withLock { !$0.backlog.isEmpty } }
  var isIdle: Bool { state.withLock { $0.isIdle } }

  func generation(of key: SourceKey) -> UInt32 { state.withLock { $0.pictures.generation(of: key) } }

  /// The number of requests that wait for the key's transfer.
  func transferWaiterCount(of key: SourceKey) -> Int { state.withLock { $0.transfers.waiters(of: key).count } }
}
