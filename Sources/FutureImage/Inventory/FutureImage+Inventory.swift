extension FutureImage.Loader {
  /// A future's line in an inventory, and the objects that it may share with other lines.
  struct InventoryLine {
    let entry: FutureImage.Inventory.Entry
    let image: BaseImage?
    let picture: Picture?
  }

  @MainActor func inventoryLine(of reader: Reader) -> InventoryLine {
    // The images and the failure are parts of the result, so that none of them is released inside the lock.
    let (visible, largest, stage, fullSize, picture, byteCount) = state.withLock { _ in
      let picture = reader.picture
      return (reader.visible, reader.largestDecode, reader.visibleStage, reader.fullSize, picture, picture?.encoded?.data.count ?? 0)
    }
    let (waiters, prefetches, phaseStreams) = state.withLock { _ in
      (reader.hasWaiters ? reader.waiters.count { !$0.isPrefetch } : 0, reader.prefetches, reader.observers?.streams.count ?? 0)
    }
    let image = largest ?? visible
    let entry = FutureImage.Inventory.Entry(
      key: reader.descriptor.key.text, phase: visible == nil ? stage.text : "ready", wholeSize: fullSize ?? image?.naturalSize,
      decodedSize: image?.cgImage.map { FutureImage.PixelSize(width: $0.width, height: $0.height) }, pixelBytes: image?.byteCount ?? 0,
      encodedBytes: byteCount, views: reader.standingViews, waiters: waiters, prefetches: prefetches, phaseStreams: phaseStreams)
    return InventoryLine(entry: entry, image: image, picture: picture)
  }
}

extension Reader {
  /// The number of views and other places that still show the last image from this reader.
  @MainActor var standingViews: Int {
    // This uses a copy, because reading a view's image may call the app, which may bind or unbind other views meanwhile.
    let all = bindings
    return all.count { $0.isCurrent }
  }
}

extension FutureImage.Stage {
  /// The stage in a few words, for people.
  var text: String {
    switch self {
    case .waiting: "waiting"
    case .loading(nil): "loading"
    case .loading(let fraction?): "loading \(Int((fraction * 100).rounded()))%"
    case .fetched: "fetched"
    case .failed(let remembered): "failed: \(remembered.failure.reason.label)"
    }
  }
}
