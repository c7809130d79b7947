extension FutureImage {
  /// One file with the bytes of one image as received, without a header. Other programs of the user can open the file. If another program
  /// stores a file at the same path, that file is a hit.
  ///
  /// The tier ignores the key, because the code that passes the tier to a future determines which image the file contains. Every error that
  /// is thrown is a `FileFailure`. Creating a tier does not access the disk.
  final class FileTier: BlockingTier {
    private enum Location {
      case file(URL)
      case caches(path: String, directory: URL)
    }

    /// The size in bytes above which a file is not read.
    let maxBytes: Int
    private let location: Location
    private let files: any FileSystem

    // A tier exists only as long as its futures, so all tiers share these threads.
    static let readingQueue = WorkQueue(label: "FutureImage.FileTier.reading", width: 16, laneWidth: 4, qos: .userInitiated)
    static let writingQueue = WorkQueue(label: "FutureImage.FileTier.writing", width: 8, laneWidth: 2, qos: .utility)
    // Sweeps have their own queue, so that no image waits for a sweep.
    private static let sweeping = WorkQueue(label: "FutureImage.FileTier.sweeping", width: 1, qos: .utility)
    private static let sweeps = Lock(FolderSweeps())

    init(_ file: URL, maxBytes: Int = 256 << 20, files: any FileSystem = POSIXFileSystem()) {
      self.maxBytes = maxBytes
      self.files = files
      location = .file(file)
    }

    /// Creates a tier for a path under the program's caches. If the path leads out of that directory, every call throws.
    init(
      cachesPath: String, under directory: URL = CachesDirectory.ofProgram(), maxBytes: Int = 256 << 20,
      files: any FileSystem = POSIXFileSystem()
    ) {
      self.maxBytes = maxBytes
      self.files = files
      location = .caches(path: cachesPath, directory: directory)
    }

    var readers: WorkQueue { Self.readingQueue }
    var writers: WorkQueue { Self.writingQueue }

    var group: String { (plainPath as NSString).deletingLastPathComponent }

    var fileLocation: TierLocation {
      let path = plainPath as NSString
      let folder = path.deletingLastPathComponent
      return TierLocation(
        name: path as String, resolvedName: FolderNames.known(folder) + "/" + path.lastPathComponent, group: folder)
    }

    private var plainPath: String {
      switch location {
      case .file(let file): FolderNames.plain(file.path)
      case .caches(let path, let directory): FolderNames.plain(directory.path + "/" + path)
      }
    }

    /// Returns the bytes of the file; nil if the file is missing or empty. Throws if the path leads to a directory or a symbolic link.
    ///
    /// A file that the process may not read is a miss, because on a locked device, the file becomes readable later.
    func waitForEntry(forKey key: String) throws(FileFailure) -> CacheEntry? {
      do {
        return try permittedEntry()
      } catch  where error.isDenied {
        return nil
      }
    }

    private func permittedEntry() throws(FileFailure) -> CacheEntry? {
      let path = try path()
      FolderNames.resolve(group)
      // A program that ended while it wrote may have left temporary files in a folder where nothing is stored anymore. So reads also start
      // sweeps.
      let directory = (path as NSString).deletingLastPathComponent
      if Self.isSweepDue(directory) { Self.sweeping.submit { [self] in sweep(directory) } }
      guard let file = try files.openIfPresent(path) else { return nil }
      defer { try? files.closeFile(file) }
      let status = try files.status(of: file)
      try status.requireFile(path)
      guard status.bytes <= maxBytes else { throw FileFailure(.tooLarge(bytes: status.bytes, limit: maxBytes), path: path) }
      let bytes = try files.readWhole(file, count: status.bytes)
      return bytes.count == 0 ? nil : CacheEntry(body: bytes.data(0..<bytes.count))
    }

    /// Stores the body in one step. Creates the missing directories in its path.
    func waitForStore(_ entry: CacheEntry, forKey key: String) throws {
      let path = try path()
      let directory = (path as NSString).deletingLastPathComponent
      try files.statusIfPresent(at: path)?.requireFile(path)
      try files.writeAndPlace([entry.body], in: directory, makeFolder: { try files.makeDirectories(directory) }) { temporary in
        try files.move(temporary, to: path)
      }
      if Self.isSweepDue(directory) { sweep(directory) }
    }

    func waitForRemoval(forKey key: String) throws(FileFailure) {
      let path = try path()
      guard let status = try files.statusIfPresent(at: path) else { return }
      try status.requireFile(path)
      try files.deleteIfPresent(path)
    }

    private static func isSweepDue(_ directory: String) -> Bool { sweeps.withLock { $0.isDue(directory, at: .now) } }

    /// Returns when the sweeps that were due have ended.
    static func swept() async { await withCheckedContinuation { continuation in sweeping.submit { continuation.resume() } } }

    /// Removes the half-written files that a `FileTier` of any program left when the program ended. Failures are ignored.
    private func sweep(_ directory: String) {
      for name in (try? files.names(in: directory)) ?? [] where UnfinishedFiles.isLeftOver(name) {
        let path = "\(directory)/\(name)"
        guard let status = try? files.status(at: path), status.kind == .file else { continue }
        if abs(status.modified.timeIntervalSinceNow) > DiskCacheStore.orphanAge { try? files.delete(path) }
      }
    }

    private func path() throws(FileFailure) -> String {
      let file =
        switch location {
        case .file(let file): file
        case .caches(let path, let directory): try CachesDirectory.file(path, under: directory)
        }
      // The system ends a path at a zero byte (%00), so the path would name another file.
      guard file.isFileURL, !file.path(percentEncoded: false).utf8.contains(0) else {
        // The URL of a server may contain credentials, so it is redacted.
        let shown = file.isFileURL ? file.absoluteString : CanonicalURL.isData(file) ? "data:" : CanonicalURL(file).redacted
        throw FileFailure(.refused("it is not a file URL, or has a zero byte; use another URL"), path: shown)
      }
      return file.path
    }
  }
}
