extension FutureImage.Loader {
  /// The living futures of this loader, the memory that they use, and their holders. For debugging: reading it loads and changes nothing.
  ///
  /// It is on the main actor because views are. It holds no lock for longer than it takes to copy references to a few futures, or the state
  /// of one future, and reads the image of each view that was given a future once.
  @MainActor public var inventory: FutureImage.Inventory {
    let lines = readers { !$0.isFollower }.map { inventoryLine(of: $0) }
    // By identity, which is valid while the lines retain the objects.
    let images = Dictionary(lines.compactMap { line in line.image.map { (ObjectIdentifier($0), line.entry.pixelBytes) } }) { $1 }
    let pictures = Dictionary(lines.compactMap { line in line.picture.map { (ObjectIdentifier($0), line.entry.encodedBytes) } }) { $1 }
    let inventory = FutureImage.Inventory(
      entries: lines.map(\.entry).sorted { $0.bytes != $1.bytes ? $0.bytes > $1.bytes : $0.key < $1.key },
      pixelBytes: images.values.reduce(0, +), encodedBytes: pictures.values.reduce(0, +), poolBytes: pixelBytes)
    withExtendedLifetime(lines) {}
    return inventory
  }

  /// The work that ``waitUntilIdle()`` waits for, in sentences.
  package var unsettled: String {
    let (transfers, lookups, decodes, writes, deliveries) = state.withLock { state in
      (state.fetches.count, state.lookups.count, state.decodes.count, writeCount, state.work.pending)
    }
    let counts = [
      ("transfer", "transfers", transfers),
      ("lookup in a disk cache", "lookups in disk caches", lookups), ("decode", "decodes", decodes),
      ("write to a disk cache", "writes to disk caches", writes), ("delivery", "deliveries", deliveries)
    ]
    let texts = counts.filter { $0.2 > 0 }.map { "\($0.2) \($0.2 == 1 ? $0.0 : $0.1)" }
    let keys = readers { $0.isPending || !$0.decodes.isEmpty }.prefix(10).map(\.descriptor.key.text)
    return "Under way: \(texts.isEmpty ? "nothing" : texts.joined(separator: ", "))."
      + (keys.isEmpty ? "" : " Futures that wait for bytes or pixels: \(keys.joined(separator: ", ")).")
  }

  /// The readers that meet the condition, which is evaluated inside the lock.
  private func readers(where isMeant: (Reader) -> Bool) -> [Reader] {
    (0..<Registry.partCount).flatMap { part in
      state.withLock { state in state.pictures.pictures(inPart: part).flatMap { $0.readers.filter(isMeant) } }
    }
  }
}

extension FutureImage.Inventory.Entry {
  fileprivate var bytes: Int { pixelBytes + encodedBytes }
}
