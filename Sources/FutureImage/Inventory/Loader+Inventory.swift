extension FutureImage.Loader {
  /// A list of the loader's futures. For each future, it shows what has loaded and what uses the future. Use it to find out why images use
  /// memory, why an image does not load, or what still needs an image. Reading it loads and changes nothing.
  ///
  ///     print(loader.inventory)
  ///
  ///     2 futures: 1 ready, 1 loading. Pixels: 4.3 MB. Pool: 4.3 MB. Encoded: 81 KB.
  ///     phase        whole       decoded     pixels  encoded  held by   key
  ///     ready        1200 × 900  1200 × 900  4.3 MB  81 KB    2 views   https://example.com/a.jpg
  ///     loading 45%  -           -           -       -        1 waiter  https://example.com/b.jpg
  ///
  /// The futures are in descending order of their bytes. Pixels and encoded bytes that several futures share count once in the first line.
  /// The pool's bytes include images whose futures are gone. Futures that are created while the text is made may be missing. A future whose
  /// source has an image for dark mode has one line for each of its two images that is in use.
  ///
  /// This property is isolated to the main actor, because it reads views. Reading it holds a lock only while it copies references to a few
  /// futures, or the state of one future. It reads the image of each bound view once.
  @MainActor public var inventory: String { currentInventory.description }

  /// The entries of ``inventory``, for tests.
  @MainActor var currentInventory: FutureImage.Inventory {
    let lines = readers { !$0.isFollower }.map { inventoryLine(of: $0) }
    // The dictionaries identify objects by address, which is valid while the lines retain the objects.
    let images = Dictionary(lines.compactMap { line in line.image.map { (ObjectIdentifier($0), line.entry.pixelBytes) } }) { $1 }
    let pictures = Dictionary(lines.compactMap { line in line.picture.map { (ObjectIdentifier($0), line.entry.encodedBytes) } }) { $1 }
    let inventory = FutureImage.Inventory(
      entries: lines.map(\.entry).sorted { $0.bytes != $1.bytes ? $0.bytes > $1.bytes : $0.key < $1.key },
      pixelBytes: images.values.reduce(0, +), encodedBytes: pictures.values.reduce(0, +), poolBytes: pixelBytes)
    withExtendedLifetime(lines) {}
    return inventory
  }

  /// A description, in sentences, of the work that ``waitUntilIdle()`` waits for.
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
