extension FutureImage {
  /// A disk cache of encoded images by key, which removes the least recently used first.
  ///
  /// Creating a cache does not access the disk; its first use counts the files in the background. Work that may wait for the disk runs on
  /// the cache's own threads, several calls at once, and any number may wait. On Linux, files that the system has in memory are read
  /// without these threads. Several caches, also in several processes, may share a directory. It never needs repair: a damaged or
  /// unfinished file is a miss and is removed. Files that are not the cache's own stay, as do those of other versions of the library. An
  /// older version's entries are removed when nothing has used them for ``maxAge``, or when the directory is over its limit.
  ///
  /// ```swift
  /// let cache = FutureImage.DiskCache(maxBytes: 64 << 20, maxAge: .seconds(7 * 86_400))
  /// try await cache.store(FutureImage.CacheEntry(body: data), forKey: "https://example.com/a.jpg")
  /// let body = try await cache.entry(forKey: "https://example.com/a.jpg")?.body
  /// ```
  ///
  /// Any string is a key. The description of each error thrown names the file and the reason.
  ///
  /// On Apple's platforms, the files have the protection class that the app chose for all its files. If it chose none, they can be read
  /// from the first unlock after the device starts. While the device is locked, an entry whose class forbids reading then is a miss, and
  /// stays.
  // The default class is C: Apple Platform Security, "Data Protection classes". An app that chose another class has its reasons, which also
  // hold for its users' images.
  public final class DiskCache: DiskTier, BlockingTier {
    /// The program's cache, in ``defaultDirectory(named:)``, with the default limits.
    public static let standard = DiskCache()

    /// The directory of the files, which are in up to 256 folders.
    public let directory: URL
    /// The limit of all files together, in bytes, headers included. When it is exceeded, entries are removed until nine tenths are left.
    public let maxBytes: Int
    /// The time that an entry stays after its last use, which is recorded to the hour; nil for no limit.
    public let maxAge: Duration?

    private let store: DiskCacheStore
    /// The size in bytes of the largest entry that is stored.
    var largestEntry: Int { store.largestEntry }
    private let housekeeping: Housekeeping
    package let group: String
    // Separate queues, so that an image to be shown does not wait behind writes. Writes run one after the other on one thread, so that it
    // need not be woken for each.
    let readers = WorkQueue(label: "FutureImage.DiskCache.reading", width: 4, qos: .userInitiated)
    let writers = WorkQueue(label: "FutureImage.DiskCache.writing", width: 1, qos: .utility)
    // One at a time, so that a request for figures is answered after the cleaning that was due before it.
    private let cleaning = WorkQueue(label: "FutureImage.DiskCache.cleaning", width: 1, qos: .utility)

    /// - Parameters:
    ///   - directory: a file URL. The directory is created when the first entry is stored, and again if it vanishes.
    ///   - maxBytes: the limit of all files together.
    ///   - maxAge: the time that an entry stays after its last use; nil for no limit.
    ///   - now: the time of day, by which entries age; called on any thread.
    public convenience init(
      directory: URL = defaultDirectory(), maxBytes: Int = 256 << 20, maxAge: Duration? = .seconds(30 * 86_400),
      now: @escaping @Sendable () -> Date = { Date() }
    ) {
      self.init(directory: directory, maxBytes: maxBytes, maxAge: maxAge, files: POSIXFileSystem(), now: now)
    }

    /// Creates the cache of an app group, which an app shares with its extensions and with other apps of its team: a widget immediately
    /// shows images that the app has loaded, and vice versa.
    ///
    /// ```swift
    /// var configuration = FutureImage.Loader.Configuration()
    /// configuration.diskCache = try FutureImage.DiskCache(appGroup: "group.com.example.shop")
    /// try FutureImage.Loader.configureShared(configuration)
    /// ```
    ///
    /// The files are in `Library/Caches` of the group's container. Extensions have little time and memory, so the app does the
    /// housekeeping: it counts the directory at its first use, and removes expired and half-written files. An extension leaves both in
    /// place, and scans the directory only after it has stored a tenth of `maxBytes`, to enforce that limit. In both, an expired entry is a
    /// miss. ``clean()`` and ``removeAll()`` do the same in any process.
    ///
    /// No file is locked, so a process that the system suspends while it reads or writes does not block other processes.
    ///
    /// On Linux, which has no app groups, the programs of a user that name the same group share a folder of its name among the user's
    /// caches.
    /// - Parameters:
    ///   - identifier: the name in the App Groups capability of the app and of each extension.
    ///   - name: the name of the cache's folder.
    ///   - maxBytes: the limit of all files together. Use the same value in all programs of the group: each removes entries down to its own
    ///     limit.
    ///   - maxAge: the time that an entry stays after its last use; nil for no limit.
    ///   - now: the time of day, by which entries age; called on any thread.
    /// - Throws: an error if the program is not a member of the group. macOS, and so Mac Catalyst, returns a folder for any group; there,
    ///   such a program has a cache that cannot be written, and each store is a cache fault.
    public convenience init(
      appGroup identifier: String, named name: String = "FutureImage", maxBytes: Int = 256 << 20,
      maxAge: Duration? = .seconds(30 * 86_400), now: @escaping @Sendable () -> Date = { Date() }
    ) throws {
      let directory = try AppGroup.cachesDirectory(identifier).appendingPathComponent(name, isDirectory: true)
      self.init(
        directory: directory, maxBytes: maxBytes, maxAge: maxAge, housekeeping: AppGroup.isExtension ? .limit : .all,
        files: POSIXFileSystem(), now: now)
    }

    init(
      directory: URL, maxBytes: Int, maxAge: Duration?, housekeeping: Housekeeping = .all, files: any FileSystem,
      now: @escaping @Sendable () -> Date
    ) {
      // Any other URL would name an unrelated path on this disk, where everything that looks like an entry could be removed. So would a URL
      // with a zero byte, which ends a path for the system.
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

    /// Returns the folder of this name in the program's folder under the user's caches (`XDG_CACHE_HOME` or `~/.cache` on Linux).
    public static func defaultDirectory(named name: String = "FutureImage") -> URL {
      CachesDirectory.ofProgram().appendingPathComponent(name, isDirectory: true)
    }

    /// Returns the entry stored under the key; nil if it is missing, incomplete, or too old.
    ///
    /// Throws if the file cannot be read or is not a regular file; links are not followed. A file that the process may not read is a miss.
    public func entry(forKey key: String) async throws -> CacheEntry? {
      cleanIfDue()
      // Two thread switches cost more than reading what the system has in memory. This runs on Swift's own threads, never the main one.
      if let entry = store.entryAtOnce(forKey: key) { return entry }
      return try await readers.run { [self] in try waitForEntry(forKey: key) }
    }

    /// Stores the entry in place of the previous one. Throws if the entry is larger than an eighth of the cache (and than 1 MiB, or all of
    /// a smaller cache), or cannot be written.
    public func store(_ entry: CacheEntry, forKey key: String) async throws {
      try await writers.run { [self] in try waitForStore(entry, forKey: key) }
    }

    /// Removes the entry, if there is one. Throws if its file could not be removed.
    public func remove(forKey key: String) async throws {
      try await writers.run { [store] in try store.remove(forKey: key) }
    }

    /// Removes everything that was stored before the call. Files that are not the cache's own stay.
    public func removeAll() async throws {
      try await cleaning.run { [store] in try store.removeAll() }
    }

    /// Removes the entries beyond the age and byte limits now. The cache does this by itself at its first use and as it grows.
    ///
    /// Continues after a failure, and throws the first one at the end.
    public func clean() async throws {
      try await cleaning.run { [store] in
        defer { store.cleanWhileDueAgain() }
        try store.clean()
      }
    }

    /// Returns the size of all files together, in bytes, headers included; recent changes by other processes are not counted.
    public func totalBytes() async -> Int {
      await counted().bytes
    }

    /// Returns the number of entries; recent changes by other processes are not counted.
    public func count() async -> Int {
      await counted().count
    }

    var knowsMissing: Bool { store.files.knowsMissing }

    func isKnownMissing(forKey key: String) -> Bool { store.isKnownMissing(key) }

    package var fileLocation: TierLocation { TierLocation(name: group, resolvedName: FolderNames.known(group), group: group) }

    func waitForEntry(forKey key: String) throws -> CacheEntry? {
      FolderNames.resolve(group)
      cleanIfDue()
      do {
        return try store.entry(forKey: key)
      } catch  where error.isDenied {
        // A miss, and the file stays: on a locked device, it will be readable later.
        return nil
      }
    }

    func waitForStore(_ entry: CacheEntry, forKey key: String) throws {
      FolderNames.resolve(group)
      try store.store(entry, forKey: key)
      cleanIfDue()
    }

    func waitForRemoval(forKey key: String) throws { try store.remove(forKey: key) }

    /// The part of the housekeeping that a process does automatically.
    enum Housekeeping {
      case all
      /// Enforces only the byte limit, once this process has stored a tenth of it. Age and half-written files are left to other processes.
      case limit
    }

    private func counted() async -> DiskCacheLedger {
      cleanIfDue(isCounting: true)
      return await handedOver { end in
        cleaning.submit { [store] in end(store.ledger.withLock { $0 }) }
      }
    }

    /// - Parameter isCounting: whether a caller requests the figures.
    private func cleanIfDue(isCounting: Bool = false) {
      let countsFirst = isCounting || housekeeping == .all
      guard store.ledger.withLock({ $0.takeDueCleaning(countsFirst: countsFirst) }) else { return }
      // A failure recurs in the next read or write of the file concerned.
      cleaning.submit { [store, housekeeping] in
        try? store.clean(housekeeping)
        store.cleanWhileDueAgain(housekeeping)
      }
    }
  }
}
