import FutureImage

/// A cache of values of one type by key, in memory and on disk: images, data, strings, `Codable` types, or your own types.
///
/// ```swift
/// let feeds = Cache<[Item]>(named: "feeds", as: .json)
/// feeds.set(items, forKey: "front page")
/// let items = try await feeds.value(from: url)
/// await feeds.waitUntilIdle()  // before a command-line program ends
/// ```
///
/// A value is available as soon as it is set. It is encoded and written in the background. Await ``waitUntilIdle()`` before a program ends.
/// Otherwise, the last values are not on disk.
///
/// Fetches of one key share one transfer, which is canceled when its last waiter stops waiting. Creating a cache does not access the disk.
///
/// A memory warning evicts all values from memory. In the background, the cache retains an eighth of its memory capacity.
///
/// Call synchronous methods on any thread. They never wait for a disk. A failure of the disk counts in ``faultCount``, and a read that
/// fails is a miss. No fetched value is lost by such a failure.
///
/// Outside its lock, the cache runs coders and transforms (on its own threads), file operations (on the threads of its disk caches), and
/// transfers (in tasks).
///
/// Two caches with the same name share their files. Each cache finds the values that the other sets, unless it has its own value in memory.
public final class Cache<Value: Sendable>: Sendable {
  typealias VariantKey = CacheState.VariantKey

  struct Job: Hashable {
    let key: String
    var variant = ""
    var fetches = true
    /// The number of changes of the key when the job was requested. A request that is made after a change has another number, so it does
    /// not join an earlier job.
    let changes: UInt64
  }

  let coder: CacheCoder<Value>
  let variants: [String: Variant]
  let disks: [String: FutureImage.DiskCache]
  let loader: FutureImage.Loader
  let state: Lock<CacheState>
  let finding = JoinedTasks<Job, CacheBox<Value>?>()
  let fetching: JoinedTasks<Job, EntryAttempt>
  private let memoryWarnings: MemoryWarnings
  let coding = WorkQueue(label: "FutureImage.Cache", width: ProcessInfo.processInfo.activeProcessorCount, qos: .userInitiated)

  /// - Parameters:
  ///   - name: any string. It names a directory among the program's caches.
  ///   - coder: the conversion of values to bytes on disk, and back.
  ///   - capacity: the capacity for originals; each variant has its own.
  ///   - variants: all variants to store. The value of any other variant is made again for each request.
  ///   - loader: the loader whose fetcher, limits, timeouts, retries, and networks apply to fetches. Fetches of the cache and transfers of
  ///     the loader are counted separately for the limits.
  public convenience init(
    named name: String, as coder: CacheCoder<Value>, capacity: CacheCapacity = CacheCapacity(), variants: [Variant] = [],
    fetching loader: FutureImage.Loader = .shared
  ) {
    self.init(
      directory: FutureImage.DiskCache.defaultDirectory(named: CacheDirectory.name(for: name)), as: coder, capacity: capacity,
      variants: variants, fetching: loader)
  }

  /// Creates a cache in the directory of a file URL. If the URL is nil, the cache stores nothing on disk.
  public convenience init(
    directory: URL?, as coder: CacheCoder<Value>, capacity: CacheCapacity = CacheCapacity(), variants: [Variant] = [],
    fetching loader: FutureImage.Loader = .shared
  ) {
    self.init(
      directory: directory, as: coder, capacity: capacity, variants: variants, fetching: loader, notifications: .default
    ) { directory, capacity in
      FutureImage.DiskCache(directory: directory, maxBytes: capacity.diskBytes, maxAge: capacity.diskAge)
    }
  }

  init(
    directory: URL?, as coder: CacheCoder<Value>, capacity: CacheCapacity, variants: [Variant],
    fetching loader: FutureImage.Loader, notifications: NotificationCenter, makeDisk: (URL, CacheCapacity) -> FutureImage.DiskCache
  ) {
    self.coder = coder
    self.loader = loader
    let configuration = loader.configuration
    fetching = JoinedTasks(limit: configuration.maxTransfers, laneLimit: configuration.maxTransfersPerHost)
    self.variants = Dictionary(([.original(capacity)] + variants).map { ($0.name, $0) }) { first, _ in first }
    var disks: [String: FutureImage.DiskCache] = [:]
    for (name, variant) in self.variants where variant.capacity.diskBytes > 0 {
      disks[name] = directory.map {
        makeDisk($0.appendingPathComponent(CacheDirectory.name(ofVariant: name), isDirectory: true), variant.capacity)
      }
    }
    var state = CacheState(capacity)
    for (name, variant) in self.variants where !variant.isOriginal { state.addVariant(name, variant.capacity) }
    self.disks = disks
    let guarded = Lock(state, rank: .cache)
    self.state = guarded
    memoryWarnings = MemoryWarnings(
      from: notifications,
      onWarning: {
        let evicted = guarded.withLock { state in state.variants.flatMap { state.emptyMemory($0) } }
        withExtendedLifetime(evicted) {}
      },
      inBackground: {
        let evicted = guarded.withLock { $0.trimMemory(toPartOf: 8) }
        withExtendedLifetime(evicted) {}
      })
  }

  // MARK: Setting

  /// Stores the value in place of the previous value. Does nothing for a variant that is not among the cache's variants. Call it on any
  /// thread.
  ///
  /// A new original removes the key's values in the other variants.
  ///
  /// While too many values wait to be written to disk, new values stay in memory only, and count as faults.
  public func set(_ value: Value, forKey key: String, as variant: Variant? = nil) {
    let variantKey = VariantKey(key: key, variant: variant?.name ?? "")
    guard variantKey.variant.isEmpty || variants[variantKey.variant] != nil else { return }
    let (box, cost) = (CacheBox(value), coder.cost(value))
    update { state in
      state.watch.noteChange(of: key)
      var evicted: [any Sendable] = []
      if variantKey.variant.isEmpty, variants.count > 1 {
        for name in variants.keys where !name.isEmpty { evicted += remove(VariantKey(key: key, variant: name), &state) }
      }
      return evicted + store(box, with: nil, in: variantKey, cost: cost, &state)
    }
  }

  /// Removes the key's value in all variants. A fetch in progress delivers its value to its waiters, but does not store it. Call it on any
  /// thread.
  public func remove(forKey key: String) {
    update { state in
      state.watch.noteChange(of: key)
      return variants.keys.flatMap { remove(VariantKey(key: key, variant: $0), &state) }
    }
  }

  /// Removes all values, or all values of one variant. Values that are set while this method runs may be removed, too.
  /// - Throws: an error that names the file if a file could not be removed. The other files are removed anyway.
  public func removeAll(_ variant: Variant? = nil) async throws {
    let names = variants.keys.filter { variant == nil || $0 == variant?.name }
    var variantKeys: [VariantKey] = []
    update { state in
      state.watch.beginRemovalOfAll()
      for name in names {
        guard let group = disks[name]?.group else { continue }
        variantKeys += writes.keys(of: self, in: group).map { VariantKey(key: $0, variant: name) }
      }
      // Files that are being written are removed, too.
      let leaving = variantKeys.flatMap { variantKey -> [any Sendable] in remove(variantKey, &state) }
      return names.reduce(into: leaving) { leaving, name in leaving += state.emptyMemory(name) }
    }
    defer { state.withLock { $0.watch.endRemovalOfAll() } }
    for variantKey in variantKeys {
      // Race: a value that is written while all are removed.
      if let location = location(variantKey) { await writes.written(location) }
    }
    var failure: (any Error)?
    for name in names {
      do { try await disks[name]?.removeAll() } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  func own(_ box: CacheState.Value?) -> CacheBox<Value>? {
    // This class made every box in the state, so each box is a CacheBox<Value>. A checked cast would double the time of a hit.
    box.map { unsafeDowncast($0, to: CacheBox<Value>.self) }
  }

  // MARK: Asking

  /// Returns the value in memory, at once. Call it on any thread.
  public func valueInMemory(forKey key: String, as variant: Variant? = nil) -> Value? {
    let variantKey = VariantKey(key: key, variant: variant?.name ?? "")
    if let known = own(state.withLock({ $0.value(variantKey) })) { return known.value }
    return state.withLock { lookUp(for: variantKey, &$0) }.box?.value
  }

  /// Returns the stored value from memory or disk. If there is none, makes it from the stored original. Returns nil if there is no stored
  /// original either.
  ///
  /// - Throws: ``/FutureImage/FutureImage/Failure`` with `.transformFailed` or `.cancelled`.
  public func value(forKey key: String, as variant: Variant? = nil) async throws -> Value? {
    try await orFailure(key) { try await self.find(key, variant ?? .original, from: nil) }
  }

  /// Returns the value stored under the URL's key. If there is none, fetches the URL and stores the value.
  /// - Throws: ``/FutureImage/FutureImage/Failure``, the same for all waiters.
  public func value(from url: URL, as variant: Variant? = nil) async throws -> Value {
    try await value(from: .url(url), as: variant)
  }

  /// Returns the value of any source: a URL with headers or a custom key, a file, or data from a closure. It is stored under the source's
  /// ``/FutureImage/FutureImage/Source/key``. A custom key never equals the key of a URL, however it is spelled.
  public func value(from source: FutureImage.Source, as variant: Variant? = nil) async throws -> Value {
    let value = try await orFailure(source.key) { try await self.find(source.key, variant ?? .original, from: source) }
    guard let value else { throw FutureImage.Failure(.empty, key: source.key).about(.value) }
    return value
  }

  /// Returns the sizes of one variant, or the total sizes of all variants.
  public func sizes(of variant: Variant? = nil) async -> CacheSizes {
    var sizes = CacheSizes()
    for name in variants.keys where variant == nil || name == variant?.name {
      let memory = state.withLock { $0.memorySize(name) }
      sizes.memoryBytes += memory.bytes
      sizes.memoryCount += memory.count
      sizes.diskBytes += await disks[name]?.totalBytes() ?? 0
      sizes.diskCount += await disks[name]?.count() ?? 0
    }
    return sizes
  }

  /// Evicts all values from memory; values on disk stay.
  public func emptyMemory() {
    let evicted = state.withLock { state in variants.keys.flatMap { state.emptyMemory($0) } }
    withExtendedLifetime(evicted) {}
  }

  /// Returns when all changes have been written to disk. Await it before a program ends.
  public func waitUntilIdle() async {
    // Race: a cache that reports that it is idle while it writes.
    while writes.count(of: self) > 0 { await writes.written(by: self) }
  }

  /// The number of failures of the disk, and of encoding values for it.
  public var faultCount: Int { state.withLock { $0.faultCount } }
  /// The last failure that ``faultCount`` counts; nil if there was none.
  public var lastFault: (any Error)? { state.withLock { $0.lastFault } }
}

/// A value of a ``Cache``, boxed to be stored among values of any type.
final class CacheBox<Value: Sendable>: Sendable {
  let value: Value
  /// Whether the value may be stored on disk. False if its server forbids storing, or if the value is made from an original whose server
  /// forbids storing.
  let mayStore: Bool

  init(_ value: Value, mayStore: Bool = true) {
    self.value = value
    self.mayStore = mayStore
  }
}

/// The directory names for a ``Cache``. Every string has a directory name, and no two strings have the same.
enum CacheDirectory {
  /// Returns a directory name that contains the cache's name, if that name is simple. A simple name has at most 64 characters. Each of them
  /// is a lowercase letter, a digit, a blank, a hyphen, or an underscore. At least one of them is not a blank, a hyphen, or a zero. If the
  /// name is not simple, returns a directory name that contains a digest.
  ///
  /// These conditions must not change, because a new version of the library would not find the values stored under other directory names.
  static func name(for name: String) -> String {
    // A name of only blanks, hyphens, and zeros fails the last condition, because blanks and hyphens precede the zero in ASCII.
    let isSimple = !name.isEmpty && name.utf8.count <= 64 && name.utf8.allSatisfy(isPlain) && name.utf8.contains { $0 > UInt8(ascii: "0") }
    // Capital letters would be ambiguous on disks that ignore case.
    return isSimple ? "Cache \(name)" : "Cache-\(SHA256.hex(of: Data(name.utf8)))"
  }

  /// Returns the name of a variant's directory.
  static func name(ofVariant variant: String) -> String {
    variant.isEmpty ? "original" : "format-\(SHA256.hex(of: Data(variant.utf8)))"
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (97...122).contains(byte) || [32, 45, 95].contains(byte)
  }
}
