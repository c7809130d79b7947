extension FutureImage {
  /// One file that holds one picture's bytes as they came, without a header: other programs of the user can open it, and what they
  /// put there is a hit.
  ///
  /// The key is not asked: whoever gives a future this tier has said which picture the file holds. What throws is a ``FileFailure``.
  /// Making a tier touches nothing on disk.
  final class FileTier: BlockingTier {
    private enum Location {
      case file(URL)
      case caches(path: String, directory: URL)
    }

    /// A larger file is refused, in bytes.
    let maxBytes: Int
    private let location: Location
    private let files: any FileSystem

    // Tiers come and go with their futures, so the threads are everybody's.
    static let readingQueue = WorkQueue(label: "FutureImage.FileTier.reading", width: 16, laneWidth: 4, qos: .userInitiated)
    static let writingQueue = WorkQueue(label: "FutureImage.FileTier.writing", width: 8, laneWidth: 2, qos: .utility)
    // Apart from it, so that no picture waits for a sweep.
    private static let sweeping = WorkQueue(label: "FutureImage.FileTier.sweeping", width: 1, qos: .utility)
    private static let sweeps = Lock(FolderSweeps())

    init(_ file: URL, maxBytes: Int = 256 << 20, files: any FileSystem = POSIXFileSystem()) {
      self.maxBytes = maxBytes
      self.files = files
      location = .file(file)
    }

    /// A path under the program's caches. One that leads out of there makes every call throw.
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

    var filePlace: TierPlace {
      let path = plainPath as NSString
      let folder = path.deletingLastPathComponent
      return TierPlace(
        name: path as String, resolvedName: FolderNames.known(folder) + "/" + path.lastPathComponent, group: folder)
    }

    private var plainPath: String {
      switch location {
      case .file(let file): FolderNames.plain(file.path)
      case .caches(let path, let directory): FolderNames.plain(directory.path + "/" + path)
      }
    }

    /// The file's bytes; nil if there is no file or it is empty. Throws if a directory or a symbolic link is there.
    ///
    /// A file that may not be read is a miss: on a locked device it will be readable later.
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
      // A program that died may have left something where nothing is stored any more.
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

    /// Puts the body there in one step; missing directories above it are made.
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

    /// Returns when the sweeps that were due are over.
    static func swept() async { await withCheckedContinuation { continuation in sweeping.submit { continuation.resume() } } }

    /// Removes what programs that died left half-written, by all `FileTier`s of any program. Failing does no harm.
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
      // A zero byte (%00) would end the path early for the system and so name another file.
      guard file.isFileURL, !file.path(percentEncoded: false).utf8.contains(0) else {
        // A URL of a server may have credentials.
        let shown = file.isFileURL ? file.absoluteString : CanonicalURL.isData(file) ? "data:" : CanonicalURL(file).redacted
        throw FileFailure(.refused("it is not a file URL, or has a zero byte; use another URL"), path: shown)
      }
      return file.path
    }
  }
}
