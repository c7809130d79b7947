extension FutureImage {
  /// Values of one type by key, in memory and on disk: pictures, bytes, texts, whatever is `Codable`, or types of your own.
  ///
  /// ```swift
  /// let feeds = FutureImage.Cache<[Item]>(named: "feeds", as: .json())
  /// feeds.set(items, forKey: "front page")
  /// let items = try await feeds.value(from: url)
  /// await feeds.settled()  // before a command-line program ends
  /// ```
  ///
  /// A value that was set is found at once. Its bytes are made and written in the background: await ``settled()`` before a program ends, or
  /// the last values are not on disk.
  ///
  /// Fetches of one key are one transfer, which ends when nobody waits for it. Making a cache touches nothing on disk.
  ///
  /// A memory warning empties its memory, and in the background an eighth of the capacity stays.
  ///
  /// Synchronous calls may be made on any thread and never wait for a disk. What a disk refuses is counted in ``faultCount`` and is a
  /// miss; it never loses a value that was fetched.
  ///
  /// Outside of the cache's lock run: coding and transforms (threads of the cache's own), files (those of its disk caches), transfers
  /// (tasks). Two caches of one name share their files; what one sets the other finds, but for what it has in its memory.
  public final class Cache<Value: Sendable>: Sendable {
    typealias Slot = CacheState.Slot

    struct Job: Hashable {
      let key: String
      var format = ""
      var fetches = true
      /// Of the key, when the job was wanted: who asks after a change does not join who asked before.
      let changes: UInt64
    }

    /// One attempt to fetch, and what the next needs to know of it.
    struct Attempt: Sendable {
      let outcome: Result<CacheEntry, Failure>
      /// Whether the entry may lie on disk.
      var mayStore = true
      let past: Transfer.Past
    }

    let coder: any CacheCoder<Value>
    let formats: [String: Format]
    let disks: [String: DiskCache]
    let loader: Loader
    let state: Lock<CacheState>
    let finding = JoinedTasks<Job, CacheBox<Value>?>()
    let fetching: JoinedTasks<Job, Attempt>
    private let memoryWarnings: MemoryWarnings
    let coding = WorkQueue(label: "FutureImage.Cache", width: ProcessInfo.processInfo.activeProcessorCount, qos: .userInitiated)

    /// - Parameters:
    ///   - name: Names a directory among the program's caches; any string.
    ///   - coder: How values become bytes on disk, and values again.
    ///   - capacity: Of the originals; each format has its own.
    ///   - formats: All forms that shall be kept. One that is not among them is made anew each time it is asked for.
    ///   - loader: How values are fetched: its fetcher, limits, times, retries and networks. They count against limits of their own.
    public convenience init(
      named name: String, as coder: some CacheCoder<Value>, capacity: CacheCapacity = CacheCapacity(), formats: [Format] = [],
      fetching loader: Loader = .shared
    ) {
      self.init(
        directory: DiskCache.defaultDirectory(named: CacheDirectory.name(for: name)), as: coder, capacity: capacity, formats: formats,
        fetching: loader)
    }

    /// The same in a directory of your choosing, a file URL; nil keeps nothing on disk.
    public convenience init(
      directory: URL?, as coder: some CacheCoder<Value>, capacity: CacheCapacity = CacheCapacity(), formats: [Format] = [],
      fetching loader: Loader = .shared
    ) {
      self.init(
        directory: directory, as: coder, capacity: capacity, formats: formats, fetching: loader, files: POSIXFileSystem(),
        notifications: .default, now: { Date() })
    }

    init(
      directory: URL?, as coder: some CacheCoder<Value>, capacity: CacheCapacity, formats: [Format],
      fetching loader: Loader, files: any FileSystem, notifications: NotificationCenter, now: @escaping @Sendable () -> Date
    ) {
      self.coder = coder
      self.loader = loader
      let configuration = loader.configuration
      fetching = JoinedTasks(limit: configuration.maxTransfers, laneLimit: configuration.maxTransfersPerHost)
      self.formats = Dictionary(([.original(capacity)] + formats).map { ($0.name, $0) }) { first, _ in first }
      var disks: [String: DiskCache] = [:]
      for (name, format) in self.formats where format.capacity.diskBytes > 0 {
        disks[name] = directory.map {
          DiskCache(
            directory: $0.appendingPathComponent(CacheDirectory.name(ofFormat: name), isDirectory: true),
            maxBytes: format.capacity.diskBytes, maxAge: format.capacity.diskAge, files: files, now: now)
        }
      }
      var state = CacheState(capacity, hasDisk: disks[""] != nil)
      for (name, format) in self.formats where !format.isOriginal {
        state.addShelf(name, format.capacity, hasDisk: disks[name] != nil)
      }
      self.disks = disks
      let guarded = Lock(state, rank: .cache)
      self.state = guarded
      memoryWarnings = MemoryWarnings(
        from: notifications,
        onWarning: {
          let losers = guarded.withLock { state in state.formats.flatMap { state.emptyMemory($0) } }
          withExtendedLifetime(losers) {}
        },
        inBackground: {
          let losers = guarded.withLock { $0.trimMemory(toPartOf: 8) }
          withExtendedLifetime(losers) {}
        })
    }

    // MARK: Setting

    /// Keeps the value in place of what was there. Any thread.
    ///
    /// A new original takes its forms with it.
    ///
    /// While the disk is far behind, new values stay in memory only, and count as faults.
    public func set(_ value: Value, forKey key: String, as format: Format? = nil) {
      let slot = Slot(key: key, format: format?.name ?? "")
      guard slot.format.isEmpty || formats[slot.format] != nil else { return }
      let (box, cost) = (CacheBox(value), coder.cost(of: value))
      update { state in
        state.watch.noteChange(of: key)
        var losers: [any Sendable] = []
        if slot.format.isEmpty, formats.count > 1 {
          for name in formats.keys where !name.isEmpty { losers += change(.remove, Slot(key: key, format: name), &state) }
        }
        return losers + change(.store(box, nil), slot, cost: cost, &state)
      }
    }

    /// Removes the key's value in all forms. A fetch under way gives its value to those who wait, and does not keep it. Any thread.
    public func remove(forKey key: String) {
      update { state in
        state.watch.noteChange(of: key)
        return formats.keys.flatMap { change(.remove, Slot(key: key, format: $0), &state) }
      }
    }

    /// Removes everything, or all of one format. What is set while this runs may go with it.
    /// - Throws: ``FutureImage/FileFailure`` if a file could not be removed; the others are.
    public func removeAll(_ format: Format? = nil) async throws {
      let names = formats.keys.filter { format == nil || $0 == format?.name }
      var slots: [Slot] = []
      update { state in
        state.watch.beginRemovalOfAll()
        // Files that are being written go, too.
        let losers = names.flatMap { name in
          state.pendingKeys(name).flatMap { change(.remove, Slot(key: $0, format: name), &state) } + state.emptyMemory(name)
        }
        slots = state.writing.keys.filter { names.contains($0.format) }
        return losers
      }
      defer { state.withLock { $0.watch.endRemovalOfAll() } }
      for slot in slots { await written(slot) }
      var failure: (any Error)?
      for name in names {
        do { try await disks[name]?.removeAll() } catch { failure = failure ?? error }
      }
      if let failure { throw failure }
    }

    func unboxed(_ box: CacheState.Value?) -> Value? { own(box)?.value }

    func own(_ box: CacheState.Value?) -> CacheBox<Value>? {
      // Every box in the state was made by this class over this Value, so it is a CacheBox<Value>. To ask would double the time of a hit.
      box.map { unsafeDowncast($0, to: CacheBox<Value>.self) }
    }

    // MARK: Asking

    /// What is in memory, at once. Any thread.
    public func valueInMemory(forKey key: String, as format: Format? = nil) -> Value? {
      let slot = Slot(key: key, format: format?.name ?? "")
      return unboxed(state.withLock { $0.value(slot) })
    }

    /// What is kept, in memory or on disk, made from the original if that is what is kept; nil if there is nothing.
    ///
    /// - Throws: ``FutureImage/Failure`` with `.transformFailed` or `.cancelled`.
    public func value(forKey key: String, as format: Format? = nil) async throws -> Value? {
      try await orFailure(key) { try await self.find(key, format ?? .original, from: nil) }
    }

    /// What is kept under the URL's key, else what the URL names, which is then kept.
    /// - Throws: ``FutureImage/Failure``, the same to all who wait.
    public func value(from url: URL, as format: Format? = nil) async throws -> Value {
      try await value(from: .url(url), as: format)
    }

    /// The same for any source: a URL with headers or a key of its own, a file, or data from a closure. It is kept under the source's
    /// ``FutureImage/FutureImage/Source/key``, which is that of no URL, however a key of its own is spelled.
    public func value(from source: Source, as format: Format? = nil) async throws -> Value {
      let value = try await orFailure(source.key) { try await self.find(source.key, format ?? .original, from: source) }
      guard let value else { throw Failure(.empty, source: source.key).about(.value) }
      return value
    }

    /// Of everything, or of one format.
    public func sizes(of format: Format? = nil) async -> CacheSizes {
      var sizes = CacheSizes()
      for name in formats.keys where format == nil || name == format?.name {
        let memory = state.withLock { $0.memorySize(name) }
        sizes.memoryBytes += memory.bytes
        sizes.memoryCount += memory.count
        sizes.diskBytes += await disks[name]?.totalBytes() ?? 0
        sizes.diskCount += await disks[name]?.count() ?? 0
      }
      return sizes
    }

    /// Lets go of what is in memory; what is on disk stays.
    public func emptyMemory() {
      let losers = state.withLock { state in formats.keys.flatMap { state.emptyMemory($0) } }
      withExtendedLifetime(losers) {}
    }

    /// Returns when all that was set and removed is on disk. To be awaited before a program ends.
    public func settled() async {
      while let slot = state.withLock({ $0.writing.keys.first }) { await written(slot) }
    }

    /// How often the disk, or coding for it, failed.
    public var faultCount: Int { state.withLock { $0.faultCount } }
    /// What failed last.
    public var lastFault: (any Error)? { state.withLock { $0.lastFault } }
  }
}
