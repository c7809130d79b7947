extension FutureImage {
  /// Encoded pictures on disk, each under its key, the least recently used removed first.
  ///
  /// Making one touches nothing; the first use counts what is there in the background. Whatever may wait for the disk is done on threads
  /// of the cache's own, several calls at once, and any number may wait; on Linux what the system still has in memory is read without
  /// them. Several caches, also of several processes, may share a directory. Nothing in it needs repair: what is damaged or unfinished is a
  /// miss and goes. Files that are not the cache's own stay, as do those of other versions of the library; an older version's entries go
  /// when nothing has used them for ``maxAge``, or the directory is over its limit.
  ///
  /// ```swift
  /// let cache = FutureImage.DiskCache(maxBytes: 64 << 20, maxAge: .seconds(7 * 86_400))
  /// try await cache.store(FutureImage.CacheEntry(body: data), forKey: "https://example.com/a.jpg")
  /// let body = try await cache.entry(forKey: "https://example.com/a.jpg")?.body
  /// ```
  ///
  /// Keys are any strings. What throws is a ``FutureImage/FileFailure``.
  ///
  /// On Apple's platforms the files have the protection class that the app chose for all its files: if it chose none, they can be read
  /// from the first unlock after a start of the device on. While the device is locked, an entry whose class does not allow reading then is
  /// a miss, and stays.
  // The default class is C: Apple Platform Security, "Data Protection classes". An app that chose another has its reasons, and its users'
  // pictures are no exception to them.
  public final class DiskCache: DiskTier, BlockingTier {
    /// The cache of the program: in ``defaultDirectory(named:)``, with the default limits.
    public static let standard = DiskCache()

    /// Where the files are, in up to 256 folders.
    public let directory: URL
    /// Limit of all files together, in bytes, headers included. When it is passed, entries go until nine tenths are left.
    public let maxBytes: Int
    /// How long an entry stays after its last use, which is known to the hour; nil for ever.
    public let maxAge: Duration?

    private let store: DiskCacheStore
    private let housekeeping: Housekeeping
    let group: String
    // Apart, so that a picture to be shown does not wait behind those that are being stored. Those follow each other on one thread: it need
    // not be woken for each.
    let readers = WorkQueue(label: "FutureImage.DiskCache.reading", width: 4, qos: .userInitiated)
    let writers = WorkQueue(label: "FutureImage.DiskCache.writing", width: 1, qos: .utility)
    // One at a time: whoever asks for figures is answered after the cleaning that was due before.
    private let cleaning = WorkQueue(label: "FutureImage.DiskCache.cleaning", width: 1, qos: .utility)

    /// - Parameters:
    ///   - directory: A file URL. It is made when the first entry is stored, and again should it vanish.
    ///   - maxBytes: Of all files together.
    ///   - maxAge: How long an entry stays after its last use; nil for ever.
    ///   - now: The time of day, by which entries age; asked on any thread.
    public convenience init(
      directory: URL = defaultDirectory(), maxBytes: Int = 256 << 20, maxAge: Duration? = .seconds(30 * 86_400),
      now: @escaping @Sendable () -> Date = { Date() }
    ) {
      self.init(directory: directory, maxBytes: maxBytes, maxAge: maxAge, files: POSIXFileSystem(), now: now)
    }

    /// The cache of an app group, which an app shares with its extensions and with other apps of its team: a widget shows at once what the
    /// app has loaded, and the other way round.
    ///
    /// ```swift
    /// var configuration = FutureImage.Loader.Configuration()
    /// configuration.diskCache = try FutureImage.DiskCache(appGroup: "group.com.example.shop")
    /// try FutureImage.Loader.configureShared(configuration)
    /// ```
    ///
    /// The files are in `Library/Caches` of the group's container. Extensions have little time and memory, so the app does the housekeeping:
    /// it counts the directory at its first use, and removes what is too old and what was left half-written. An extension leaves both where
    /// they are, and looks through the directory only when it has stored a tenth of `maxBytes`, to keep that limit. For both an entry that
    /// is too old is a miss. ``clean()`` and ``removeAll()`` do the same wherever they are called.
    ///
    /// No file is locked, so a process that the system suspends while it reads or writes holds up no other one.
    ///
    /// On Linux, which has no app groups, the programs of a user that name the same group share a folder of its name among the user's caches.
    /// - Parameters:
    ///   - identifier: The name in the App Groups capability of the app and of each extension.
    ///   - name: Of the cache's folder.
    ///   - maxBytes: Of all files together. Give it the same value in all programs of the group: each removes down to its own.
    ///   - maxAge: How long an entry stays after its last use; nil for ever.
    ///   - now: The time of day, by which entries age; asked on any thread.
    /// - Throws: ``FutureImage/FileFailure`` with `.noContainer` if the program is not a member of the group. macOS, and so Mac Catalyst,
    ///   names a folder for any group; there such a program has a cache that cannot be written, and each store is a cache fault.
    public convenience init(
      appGroup identifier: String, named name: String = "FutureImage", maxBytes: Int = 256 << 20,
      maxAge: Duration? = .seconds(30 * 86_400), now: @escaping @Sendable () -> Date = { Date() }
    ) throws(FileFailure) {
      let directory = try AppGroup.cachesDirectory(identifier).appendingPathComponent(name, isDirectory: true)
      self.init(
        directory: directory, maxBytes: maxBytes, maxAge: maxAge, housekeeping: AppGroup.isExtension ? .limit : .all,
        files: POSIXFileSystem(), now: now)
    }

    init(
      directory: URL, maxBytes: Int, maxAge: Duration?, housekeeping: Housekeeping = .all, files: any FileSystem,
      now: @escaping @Sendable () -> Date
    ) {
      // Any other URL would name some unrelated path on this disk, and everything there that looks like an entry could be removed.
      // So would one with a zero byte, which ends a path for the system.
      precondition(
        directory.isFileURL && !directory.path(percentEncoded: false).utf8.contains(0),
        "the directory of a DiskCache must be a file URL without zero bytes")
      self.directory = directory
      group = FolderNames.plain(directory.path)
      self.maxBytes = max(0, maxBytes)
      self.maxAge = maxAge
      self.housekeeping = housekeeping
      store = DiskCacheStore(
        directory: directory.path, maxBytes: self.maxBytes, maxAge: maxAge?.seconds, keepsExpired: housekeeping == .limit, files: files,
        now: now)
    }

    /// In the user's directory for caches (`XDG_CACHE_HOME` or `~/.cache` on Linux), in a folder of the program, under this name.
    public static func defaultDirectory(named name: String = "FutureImage") -> URL {
      CachesDirectory.ofProgram().appendingPathComponent(name, isDirectory: true)
    }

    /// What is kept under the key; nil if there is nothing, or nothing whole, or it is too old.
    ///
    /// Throws if the file cannot be read or is no plain file; links are not followed. A file that the process may not read is a miss.
    public func entry(forKey key: String) async throws -> CacheEntry? {
      cleanIfDue()
      // Two changes of thread cost more than reading what the system has in memory. This runs on Swift's own threads, never the main one.
      if let entry = store.entryAtOnce(forKey: key) { return entry }
      return try await readers.run { [self] in try waitForEntry(forKey: key) }
    }

    /// Keeps the entry in place of what was there. Throws if it alone is larger than an eighth of the cache (and than 1 MiB, or all of a
    /// smaller cache), or cannot be written.
    public func store(_ entry: CacheEntry, forKey key: String) async throws {
      try await writers.run { [self] in try waitForStore(entry, forKey: key) }
    }

    /// Removes the entry, if there is one. Throws if its file stays.
    public func remove(forKey key: String) async throws {
      try await writers.run { [store] in try store.remove(forKey: key) }
    }

    /// Removes everything that was stored before the call. Files that are not the cache's own stay.
    public func removeAll() async throws {
      try await cleaning.run { [store] in try store.removeAll() }
    }

    /// Removes now what age and the limit of bytes take away; by itself this happens at the first use and as the cache grows.
    ///
    /// Does all it can before it throws the first failure.
    public func clean() async throws {
      try await cleaning.run { [store] in
        defer { store.cleanWhileDueAgain() }
        try store.clean()
      }
    }

    /// The size of all files together, in bytes, headers included; what other processes have changed lately is not in it.
    public func totalBytes() async -> Int {
      await counted().bytes
    }

    /// The number of entries; what other processes have changed lately is not in it.
    public func count() async -> Int {
      await counted().count
    }

    func isKnownMissing(forKey key: String) -> Bool { store.isKnownMissing(key) }

    var filePlace: TierPlace { TierPlace(name: group, resolvedName: FolderNames.known(group), group: group) }

    func waitForEntry(forKey key: String) throws -> CacheEntry? {
      FolderNames.resolve(group)
      cleanIfDue()
      return try store.entry(forKey: key)
    }

    func waitForStore(_ entry: CacheEntry, forKey key: String) throws {
      FolderNames.resolve(group)
      try store.store(entry, forKey: key)
      cleanIfDue()
    }

    func waitForRemoval(forKey key: String) throws { try store.remove(forKey: key) }

    /// The part of the housekeeping that a process does by itself.
    enum Housekeeping {
      case all
      /// The limit of bytes is kept, once this process has stored a tenth of it. Age and half-written files are left to others.
      case limit
    }

    private func counted() async -> DiskCacheLedger {
      cleanIfDue(isCounting: true)
      return await handedOver { end in
        cleaning.submit { [store] in end(store.ledger.withLock { $0 }) }
      }
    }

    /// - Parameter isCounting: whether somebody asks for the figures.
    private func cleanIfDue(isCounting: Bool = false) {
      let countsFirst = isCounting || housekeeping == .all
      guard store.ledger.withLock({ $0.takeDueCleaning(countsFirst: countsFirst) }) else { return }
      // A failure here shows again in the next read or write of the file concerned.
      cleaning.submit { [store, housekeeping] in
        try? store.clean(housekeeping)
        store.cleanWhileDueAgain(housekeeping)
      }
    }
  }
}
