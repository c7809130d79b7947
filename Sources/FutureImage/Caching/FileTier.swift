extension FutureImage {
  /// One file with the bytes of one image as received, without a header. Other programs of the user can open it, and a file that they store
  /// there is a hit.
  ///
  /// The tier ignores the key: the code that passes it to a future has decided which image the file holds. Every error thrown is a
  /// `FileFailure`. Creating a tier does not access the disk.
  final class FileTier: BlockingTier {
    private enum Location {
      case file(URL)
      case caches(path: String, directory: URL)
    }

    /// The limit in bytes beyond which a file is refused.
    let maxBytes: Int
    private let location: Location
    private let files: any FileSystem

    // Tiers live only as long as their futures, so all tiers share these threads.
    static let readingQueue = WorkQueue(label: "FutureImage.FileTier.reading", width: 16, laneWidth: 4, qos: .userInitiated)
    static let writingQueue = WorkQueue(label: "FutureImage.FileTier.writing", width: 8, laneWidth: 2, qos: .utility)
    // A separate queue, so that no image waits for a sweep.
    private static let sweeping = WorkQueue(label: "FutureImage.FileTier.sweeping", width: 1, qos: .utility)
    private static let sweeps = Lock(FolderSweeps())

    init(_ file: URL, maxBytes: Int = 256 << 20, files: any FileSystem = POSIXFileSystem()) {
      self.maxBytes = maxBytes
      self.files = files
      location = .file(file)
    }

    /// Creates a tier for a path under the program's caches. With a path that leads out of there, every call throws.
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

    /// Returns the file's bytes; nil if there is no file or it is empty. Throws if there is a directory or a symbolic link instead.
    ///
    /// A file that may not be read is a miss: on a locked device, it will be readable later.
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
      // A program that died may have left temporary files where nothing is stored anymore.
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

    /// Stores the body in one step, and creates missing directories above it.
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

    /// Removes the half-written files of programs that died, left by the `FileTier`s of any program. Failures do no harm.
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
      // A zero byte (%00) would end the path early for the system, and so name another file.
      guard file.isFileURL, !file.path(percentEncoded: false).utf8.contains(0) else {
        // The URL of a server may contain credentials.
        let shown = file.isFileURL ? file.absoluteString : CanonicalURL.isData(file) ? "data:" : CanonicalURL(file).redacted
        throw FileFailure(.refused("it is not a file URL, or has a zero byte; use another URL"), path: shown)
      }
      return file.path
    }
  }
}
