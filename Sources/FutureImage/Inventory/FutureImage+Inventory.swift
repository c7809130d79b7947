extension FutureImage {
  /// A future's line in an inventory, and the objects that it may share with other lines.
  struct InventoryLine {
    let entry: Inventory.Entry
    let image: UIImage?
    let share: HeldBytes.Share?
  }

  /// - Returns: nil for a future without a source.
  func inventoryLine(views: Int) -> InventoryLine? {
    guard descriptor != nil else { return nil }
    // Images and failures leave the lock with the result, so that none is released inside.
    let (seen, best, stage, natural, encoded) = state.withLock { ($0.visible, $0.best, $0.visibleStage, $0.natural, $0.encoded) }
    let (waiters, prefetches, phaseStreams) = state.withLock { state in
      (state.hasWaiters ? state.waiters.count { !$0.isPrefetch } : 0, state.prefetches, state.observers?.streams.count ?? 0)
    }
    let image = best ?? seen
    let entry = Inventory.Entry(
      key: key, phase: seen == nil ? stage.text : "ready", wholeSize: natural ?? image?.naturalSize,
      decodedSize: image?.cgImage.map { PixelSize(width: $0.width, height: $0.height) }, pixelBytes: image?.byteCount ?? 0,
      encodedBytes: encoded?.data.count ?? 0, views: views, waiters: waiters, prefetches: prefetches, phaseStreams: phaseStreams)
    return InventoryLine(entry: entry, image: image, share: encoded?.share)
  }

  /// The number of places that still show the last image from this future.
  @MainActor var standingViews: Int {
    guard descriptor != nil else { return 0 }
    // Uses a copy: reading a view's image may call the app, which may bind or unbind other views in the meantime.
    let all = bindings
    return all.count { $0.stands }
  }

  /// Whether the future waits for bytes or pixels.
  var isUnderWay: Bool {
    guard descriptor != nil else { return false }
    return state.withLock { $0.wish.isPending || !$0.pixelRequests.isEmpty }
  }
}

extension FutureImage.State.Stage {
  /// The stage in a few words, for people.
  var text: String {
    switch self {
    case .waiting: "waiting"
    case .loading(nil): "loading"
    case .loading(let fraction?): "loading \(Int((fraction * 100).rounded()))%"
    case .fetched: "fetched"
    case .failed(let refusal): "failed: \(refusal.failure.reason.label)"
    }
  }
}
