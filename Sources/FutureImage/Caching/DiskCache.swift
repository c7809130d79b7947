extension FutureImage {
  /// A disk cache of encoded images by key. It removes the least recently used images first.
  ///
  /// Creating a cache does not access the disk. The first use of the cache counts the files in the background. Work that may wait for the
  /// disk runs on the cache's own threads. Several calls can run at the same time, and any number of calls may wait. On Linux, files that
  /// the system has in memory are read without these threads. Several caches may share a directory, even caches of different processes. The
  /// directory never needs repair, because a damaged or unfinished file is a miss and is removed. Files that the library did not create
  /// stay, and so do files of newer versions of the library. An entry of an older version is removed when it has not been used for
  /// the cache's maximum age, or when the directory exceeds its limit.
  ///
  /// ```swift
  /// let cache = FutureImage.DiskCache(maxBytes: 64 << 20, maxAge: .seconds(7 * 86_400))
  /// try await cache.store(FutureImage.CacheEntry(body: data), forKey: "https://example.com/a.jpg")
  /// let body = try await cache.entry(forKey: "https://example.com/a.jpg")?.body
  /// ```
  ///
  /// Any string can be a key. The description of each error that is thrown names the file and the reason.
  ///
  /// On Apple's platforms, the files have the protection class that the app chose for all its files. If the app chose no class, the files
  /// can be read from the first unlock after the device starts. While the device is locked, an entry whose class prevents reading is a
  /// miss, and its file stays.
  // The default class is C (Apple Platform Security, "Data Protection classes"). The cache does not set another class, because the app's
  // reasons for its choice also apply to the images of its users.
  public final class DiskCache: DiskTier, BlockingTier {
    /// The program's cache, in ``defaultDirectory(named:)``, with the default limits.
    public static let standard = DiskCache()

    /// The directory of the files, which are in up to 256 folders.
    public let directory: URL
    /// The limit on the total size of all files, in bytes, including headers. When it is exceeded, entries are removed until the total is
    /// at most nine tenths of the limit.
    package let maxBytes: Int
    /// The time for which an entry stays after its last use; nil for no limit. The time of the last use is accurate to an hour.
    package let maxAge: Duration?

    private let store: DiskCacheStore
    /// The largest size in bytes that a stored entry can have.
    var largestEntry: Int { store.largestEntry }
    private let housekeeping: Housekeeping
    package let group: String
    // Reads and writes have separate queues, so that an image to be shown does not wait for writes. Writes run one after the other on one
    // thread, so that the thread need not be woken for each write.
    let readers = WorkQueue(label: "FutureImage.DiskCache.reading", width: 4, qos: .userInitiated)
    let writers = WorkQueue(label: "FutureImage.DiskCache.writing", width: 1, qos: .utility)
    // The queue runs one job at a time, so that a request for the size of the cache is answered after a cleaning that was due before the
    // request.
    private let cleaning = WorkQueue(label: "FutureImage.DiskCache.cleaning", width: 1, qos: .utility)

    /// - Parameters:
    ///   - directory: a file URL. The directory is created when the first entry is stored, and again if it is removed.
    ///   - maxBytes: the limit on the total size of all files, in bytes.
    ///   - maxAge: the time for which an entry stays after its last use; nil for no limit.
    ///   - now: returns the time of day, which determines the age of entries; called on any thread.
    public convenience init(
      directory: URL = defaultDirectory(), maxBytes: Int = 256 << 20, maxAge: Duration? = .seconds(30 * 86_400),
      now: @escaping @Sendable () -> Date = { Date() }
    ) {
      self.init(directory: directory, limits: (maxBytes, maxAge), files: POSIXFileSystem(), now: now)
    }

    /// Creates the cache of an app group. An app shares this cache with its extensions and with other apps of its team, so a widget
    /// immediately shows images that the app has loaded, and vice versa.
    ///
    /// ```swift
    /// var configuration = FutureImage.Loader.Configuration()
    /// configuration.diskCache = try FutureImage.DiskCache(appGroup: "group.com.example.shop")
    /// try FutureImage.Loader.configureShared(configuration)
    /// ```
    ///
    /// The files are in `Library/Caches` of the group's container. Extensions have little time and memory, so the app does the
    /// housekeeping. The app counts the files at the first use of the cache, and removes expired and half-written files. An extension does
    /// not remove these files. It scans the directory only after it has stored a tenth of `maxBytes`, to enforce that limit, and when it
    /// calls ``totalBytes()`` or ``count()``. In the app and in its extensions, an expired entry is a miss. ``clean()`` and ``removeAll()``
    /// do the same work in any process.
    ///
    /// No file is locked, so a process that the system suspends while it reads or writes does not block other processes.
    ///
    /// Linux has no app groups. There, the programs of a user that name the same group share a folder with the name of the group in the
    /// user's caches directory.
    /// - Parameters:
    ///   - identifier: the name of the group in the App Groups capability of the app and of each extension.
    ///   - name: the name of the cache's folder.
    ///   - maxBytes: the limit on the total size of all files, in bytes. Use the same value in all programs of the group, because each
    ///     program removes entries to enforce its own limit.
    ///   - maxAge: the time for which an entry stays after its last use; nil for no limit.
    ///   - now: returns the time of day, which determines the age of entries; called on any thread.
    /// - Throws: an error if the program is not a member of the group. On macOS and Mac Catalyst, the system returns a folder for any
    ///   group. There, a program that is not a member gets a cache that it cannot write to, and each store is reported as a cache fault.
    ///   On Linux, an error if the identifier cannot be the name of the folder.
    public convenience init(
      appGroup identifier: String, named name: String = "FutureImage", maxBytes: Int = 256 << 20,
      maxAge: Duration? = .seconds(30 * 86_400), now: @escaping @Sendable () -> Date = { Date() }
    ) throws {
      let directory = try AppGroup.cachesDirectory(identifier).appendingPathComponent(name, isDirectory: true)
      self.init(
        directory: directory, limits: (maxBytes, maxAge), housekeeping: AppGroup.isExtension ? .limit : .all, files: POSIXFileSystem(),
        now: now)
    }

    init(
      directory: URL, limits: (bytes: Int, age: Duration?), housekeeping: Housekeeping = .all, files: any FileSystem,
      now: @escaping @Sendable () -> Date
    ) {
      // The path of a URL that is not a file URL would name an unrelated directory on this disk, where the cache could remove everything
      // that looks like an entry. A path with a zero byte would name an unrelated directory, too, because the system ends a path at a zero
      // byte.
      precondition(
        directory.isFileURL && !directory.path(percentEncoded: false).utf8.contains(0),
        "the directory of a DiskCache must be a file URL without zero bytes")
      self.directory = directory
      group = FolderNames.plain(directory.path)
      maxBytes = max(0, limits.bytes)
      maxAge = limits.age
      self.housekeeping = housekeeping
      store = DiskCacheStore(
        directory: directory.path, limits: (maxBytes, maxAge?.seconds), keepsExpired: housekeeping == .limit, files: files, now: now)
    }

    /// Returns the folder with this name in the program's folder in the user's caches directory (`XDG_CACHE_HOME` or `~/.cache` on Linux).
    public static func defaultDirectory(named name: String = "FutureImage") -> URL {
      CachesDirectory.ofProgram().appendingPathComponent(name, isDirectory: true)
    }

    /// Returns the entry stored under the key; nil if it is missing, incomplete, or too old.
    ///
    /// Throws if the file cannot be read or is not a regular file. Symbolic links are not followed. A file that the process has no
    /// permission to read is a miss.
    public func entry(forKey key: String) async throws -> CacheEntry? {
      cleanIfDue()
      // Two thread switches cost more than reading a file that the system has in memory. This code runs on Swift's own threads, never on
      // the main thread.
      if let entry = store.entryAtOnce(forKey: key) { return entry }
      return try await readers.run { [self] in try waitForEntry(forKey: key) }
    }

    /// Stores the entry in place of the previous entry. Throws if the entry is too large or cannot be written. The largest size of an entry
    /// is an eighth of the cache or 1 MiB, whichever is greater, but no more than the whole cache.
    public func store(_ entry: CacheEntry, forKey key: String) async throws {
      try await writers.run { [self] in try waitForStore(entry, forKey: key) }
    }

    /// Removes the entry, if it exists. Throws if its file could not be removed.
    public func remove(forKey key: String) async throws {
      try await writers.run { [store] in try store.remove(forKey: key) }
    }

    /// Removes all entries that were stored before the call. Files that the library did not create stay.
    public func removeAll() async throws {
      try await cleaning.run { [store] in try store.removeAll() }
    }

    /// Removes the entries that exceed the age limit or the byte limit. The cache also does this automatically, at its first use and as it
    /// grows.
    ///
    /// Continues after a failure, and throws the first failure at the end.
    public func clean() async throws {
      try await cleaning.run { [store] in
        defer { store.cleanWhileDueAgain() }
        try store.clean()
      }
    }

    /// Returns the total size of all files, in bytes, including headers. Recent changes by other processes are not counted.
    public func totalBytes() async -> Int {
      await counted().bytes
    }

    /// Returns the number of entries. Recent changes by other processes are not counted.
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
        // The entry is a miss, and its file stays, because on a locked device, the file becomes readable later.
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
      /// Enforces only the byte limit, after this process has stored a tenth of that limit. Other processes enforce the age limit, and
      /// remove half-written files.
      case limit
    }

    private func counted() async -> DiskCacheLedger {
      cleanIfDue(isCounting: true)
      return await handedOver { end in
        cleaning.submit { [store] in end(store.ledger.withLock { $0 }) }
      }
    }

    /// - Parameter isCounting: whether a caller requests the size or the number of entries.
    private func cleanIfDue(isCounting: Bool = false) {
      let countsFirst = isCounting || housekeeping == .all
      guard store.ledger.withLock({ $0.takeDueCleaning(countsFirst: countsFirst) }) else { return }
      // A failure is ignored here, because the next read or write of the same file reports it.
      cleaning.submit { [store, housekeeping] in
        try? store.clean(housekeeping)
        store.cleanWhileDueAgain(housekeeping)
      }
    }
  }
}
