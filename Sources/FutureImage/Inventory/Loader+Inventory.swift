extension FutureImage.Loader {
  /// The living futures of this loader, the memory that they use, and their holders. For debugging: reading it loads and changes nothing.
  ///
  /// It is on the main actor because views are. It holds no lock for longer than it takes to copy references to a few futures, or the state
  /// of one future, and reads the image of each view that was given a future once.
  @MainActor public var inventory: FutureImage.Inventory {
    let lines = liveFutures().compactMap { $0.inventoryLine(views: $0.standingViews) }
    // By identity, which is valid while the lines retain the objects.
    let images = Dictionary(lines.compactMap { line in line.image.map { (ObjectIdentifier($0), line.entry.pixelBytes) } }) { $1 }
    let shares = Dictionary(lines.compactMap { line in line.share.map { (ObjectIdentifier($0), line.entry.encodedBytes) } }) { $1 }
    let unshared = lines.reduce(0) { $1.share == nil ? $0 + $1.entry.encodedBytes : $0 }
    let inventory = FutureImage.Inventory(
      entries: lines.map(\.entry).sorted { $0.bytes != $1.bytes ? $0.bytes > $1.bytes : $0.key < $1.key },
      pixelBytes: images.values.reduce(0, +), encodedBytes: shares.values.reduce(unshared, +), poolBytes: pixelBytes)
    withExtendedLifetime(lines) {}
    return inventory
  }

  /// The work that ``settled()`` waits for, in sentences.
  package var unsettled: String {
    let (transfers, lookups, decodes, backlog, writes, deliveries) = state.withLock { state in
      let backlog = state.backlog.isEmpty ? 0 : 1
      return (state.transfers.count, state.lookups.count, state.decodes.count, backlog, writeCount, state.pendingWork)
    }
    let counts = [
      ("transfer", "transfers", transfers), ("backlog of futures", "backlogs of futures", backlog),
      ("lookup in a disk cache", "lookups in disk caches", lookups), ("decode", "decodes", decodes),
      ("write to a disk cache", "writes to disk caches", writes), ("delivery", "deliveries", deliveries),
      ("loop over phases that has not handled all", "loops over phases that have not handled all", phaseReaders.busyCount)
    ]
    let texts = counts.filter { $0.2 > 0 }.map { "\($0.2) \($0.2 == 1 ? $0.0 : $0.1)" }
    let keys = liveFutures().filter(\.isUnderWay).compactMap(\.key).prefix(10)
    return "Under way: \(texts.isEmpty ? "nothing" : texts.joined(separator: ", "))."
      + (keys.isEmpty ? "" : " Futures that wait for bytes or pixels: \(keys.joined(separator: ", ")).")
  }

  private func liveFutures() -> [FutureImage] {
    var futures: [FutureImage] = []
    for part in 0..<Pictures.partCount {
      for key in state.withLock({ $0.pictures.keys(inPart: part) }) { forEachFuture(of: key) { futures.append($0) } }
    }
    return futures
  }
}

extension FutureImage.Inventory.Entry {
  fileprivate var bytes: Int { pixelBytes + encodedBytes }
}
