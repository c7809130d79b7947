/// The object with everything that the futures of one key share: the encoded image, the readers and their work, and the facts about the
/// image that outlive the futures. A picture is created with the first of these futures, or when the app sets the image.
///
/// The loader's lock guards the picture and everything that it refers to, except for the bindings of its readers. The loader's methods in
/// `Loader+Finding.swift` and the files beside it change the picture.
final class Picture: @unchecked Sendable {
  // Sendable: its loader's lock guards everything but the key, which never changes.

  let key: SourceKey
  var readers = Readers()
  /// The number of times that another image has replaced the image of this key.
  var generation: UInt32 = 0
  /// The lookups that have not ended.
  var lookups: [Lookup] = []
  /// The fetch that has not ended; nil if there is none.
  var fetch: Fetch?
  private var cold: ColdState?

  init(key: SourceKey) { self.key = key }

  /// State that few pictures have at a time. In a long list, pictures that only wait for their fetch do not allocate it.
  private final class ColdState {
    // Never changed, because each setter creates an object for its own picture first.
    static nonisolated(unsafe) let none = ColdState()

    var encoded: Encoded?
    var decodes: [Decode] = []
    var unmeasured = 0
    var followerCount = 0
    var deliveries = 0
    var staged: Staged?
    var notes = Notes()
    var remembered = Remembered()
  }

  private var coldOrDefault: ColdState { cold ?? .none }

  private var ownCold: ColdState {
    if let cold { return cold }
    let made = ColdState()
    cold = made
    return made
  }

  /// The encoded bytes of the current image, while a reader needs them, or if no disk tier has them.
  var encoded: Encoded? {
    get { coldOrDefault.encoded }
    set { if cold != nil || newValue != nil { ownCold.encoded = newValue } }
  }

  /// The decodes that have not ended.
  var decodes: [Decode] {
    get { coldOrDefault.decodes }
    _modify { yield &ownCold.decodes }
  }

  /// The number of readers whose views have not been measured since the bytes arrived.
  var unmeasured: Int {
    get { coldOrDefault.unmeasured }
    set { ownCold.unmeasured = newValue }
  }

  /// The number of readers that are followers, whose future is gone.
  var followerCount: Int {
    get { coldOrDefault.followerCount }
    set { ownCold.followerCount = newValue }
  }

  /// The number of deliveries that are made in several changes and have not reached all readers yet. A delivery brings the bytes, a
  /// failure, or the information that a tier does not have the bytes.
  var deliveries: Int {
    get { coldOrDefault.deliveries }
    set { ownCold.deliveries = newValue }
  }

  /// Whether no reader has a future.
  var hasNoFuture: Bool { readers.count == followerCount }

  /// The writes of the fetched bytes that have not ended.
  var staged: Staged? {
    get { coldOrDefault.staged }
    set { if cold != nil || newValue != nil { ownCold.staged = newValue } }
  }

  var notes: Notes {
    get { coldOrDefault.notes }
    _modify { yield &ownCold.notes }
  }

  var remembered: Remembered {
    get { coldOrDefault.remembered }
    _modify { yield &ownCold.remembered }
  }

  /// Flags and operations that concern few images.
  struct Notes {
    /// The number of removals and stores under way in memory tiers. While this is not 0, a memory tier may have an image that was replaced.
    var memoryChanges: Int32 = 0
    /// Whether the app has set the current image. If so, perhaps the source does not have it.
    var isOfApp = false
    /// Whether the last request failed. The next request then counts as a retry, whichever future makes it.
    var hasFailed = false
    /// Whether views show previews while the bytes arrive.
    var hasPreviews = false
    /// The readers that read a smaller image in place of this one.
    var movedReaders: [ObjectIdentifier: Reader] = [:]
    /// The last call that set the image, while the app can undo it.
    weak var setting: FutureImage.Loader.Setting?
  }

  /// The disk writes of fetched bytes.
  struct Staged {
    /// The entry. It is set to nil in the change that replaces the image, when the bytes turn out not to be an image, or when they must not
    /// be stored any longer.
    var entry: FutureImage.CacheEntry?
    let generation: UInt32
    /// The resolved names of the places to which the tiers write, usually one or two.
    var places: [String]
    /// The number of writes of the key that have not ended, including those of earlier bytes.
    var writes: Int
  }

  /// Whether the picture has readers, or must be found by its key when work without readers ends.
  var isInUse: Bool { !readers.isEmpty || staged != nil || notes.memoryChanges != 0 || !notes.movedReaders.isEmpty }

  /// Whether any fact about the image outlives its futures.
  var isRemembered: Bool { generation != 0 || !remembered.isEmpty }

  /// Returns the disk tiers of the matching readers, each tier once.
  func tiers(where isMeant: (Reader) -> Bool = { _ in true }) -> [any FutureImage.DiskTier] {
    var (tiers, known): ([any FutureImage.DiskTier], Set<ObjectIdentifier>) = ([], [])
    for reader in readers where isMeant(reader) {
      if let tier = reader.current.disk, known.insert(ObjectIdentifier(tier)).inserted { tiers.append(tier) }
      if !readers.areMixed { break }
    }
    return tiers
  }

  /// The memory tiers of the readers, each tier once.
  var memoryTiers: [any FutureImage.MemoryTier] {
    var (tiers, known): ([any FutureImage.MemoryTier], Set<ObjectIdentifier>) = ([], [])
    for reader in readers {
      if let tier = reader.current.policy.memory, known.insert(ObjectIdentifier(tier)).inserted { tiers.append(tier) }
      if !readers.areMixed { break }
    }
    return tiers
  }

  /// Whether the bytes can be released. This requires that no reader is due to get them, no view waits to be measured, and no write of them
  /// is under way. It also requires that no reader has a future, or that every reader has a disk tier and the tiers store the bytes.
  var mayReleaseBytes: Bool {
    guard let encoded, deliveries == 0, unmeasured == 0, staged == nil else { return false }
    return hasNoFuture || encoded.isStored && readers.withoutTier == 0
  }
}

extension Picture {
  /// The readers of a picture, in no order. Each reader stores its index, so that thousands can leave at once.
  struct Readers: Sequence {
    // Nearly every picture has one reader, which needs no array. Once there have been several readers, all are in the array.
    private var one: Reader?
    private var many: [Reader] = []
    /// The number of readers without a disk tier, apart from followers.
    private(set) var withoutTier: Int32 = 0
    /// Whether the readers may have different tiers. Nearly always, all have the same tiers, so that checking one reader of thousands is
    /// enough.
    private(set) var areMixed = false

    var count: Int { one == nil ? many.count : 1 }
    var isEmpty: Bool { count == 0 }

    /// All readers. Reading this does not copy the array, which may have thousands of elements.
    var all: [Reader] { one.map { [$0] } ?? many }

    mutating func insert(_ reader: Reader) {
      if isEmpty { areMixed = false }
      note(reader, 1)
      reader.index = Int32(count)
      if isEmpty {
        one = reader
      } else {
        if let other = one.take() { many.append(other) }
        many.append(reader)
      }
    }

    mutating func remove(_ reader: Reader) {
      guard reader.index >= 0 else { return }
      note(reader, -1)
      let index = Int(reader.index)
      reader.index = -1
      one = nil
      guard let last = many.popLast(), last !== reader else { return }
      last.index = Int32(index)
      many[index] = last
    }

    private mutating func note(_ reader: Reader, _ change: Int32) {
      // A follower, which has only views, needs no bytes.
      if !reader.isFollower, reader.current.disk == nil { withoutTier += change }
      guard change > 0, !areMixed, let other = one ?? many.first else { return }
      let (own, others) = (reader.current, other.current)
      areMixed = own.disk !== others.disk || own.policy.memory !== others.policy.memory
    }

    func makeIterator() -> Iterator { Iterator(one: one, many: many.makeIterator()) }

    struct Iterator: IteratorProtocol {
      fileprivate var one: Reader?
      fileprivate var many: IndexingIterator<[Reader]>

      mutating func next() -> Reader? { one.take() ?? many.next() }
    }
  }
}

/// A job that reads a disk tier.
final class Lookup: QueuedJob, @unchecked Sendable {
  // Sendable: the loader's lock guards its variables and those of its superclass. The constants never change.

  let picture: Picture
  let source: FutureImage.Source
  let tier: any FutureImage.DiskTier
  /// The readers that have joined the lookup. Some may have left it.
  var readers: [Reader] = []
  /// The number of readers that wait for the lookup.
  var readerCount = 0

  init(_ picture: Picture, _ source: FutureImage.Source, in tier: any FutureImage.DiskTier, _ rank: Rank) {
    (self.picture, self.source, self.tier) = (picture, source, tier)
    super.init(lane: tier.group, rank)
  }
}

/// A job that decodes a picture, or calls the closure that makes its pixels.
final class Decode: QueuedJob, @unchecked Sendable {
  // Sendable: the loader's lock guards its variables, as in `Lookup`.

  let picture: Picture
  let key: PixelPool.Key
  let encoded: Encoded
  /// The readers that have joined the decode. Some may have left it.
  var readers: [Reader] = []
  /// The number of readers that wait for the decode.
  var readerCount = 0
  /// The task that calls the app's closure of a sized source.
  var task: Task<Void, Never>?

  init(_ picture: Picture, _ key: PixelPool.Key, _ encoded: Encoded, _ rank: Rank) {
    (self.picture, self.key, self.encoded) = (picture, key, encoded)
    // The closure of a sized source may wait for another image. This job takes no slot, so that the decode of that image can start.
    super.init(lane: encoded.sized == nil ? "" : nil, rank)
  }
}

/// A job that fetches a picture from its source, with all of its attempts. ``TransferRun`` makes one attempt.
final class Fetch: QueuedJob, @unchecked Sendable {
  // Sendable: the loader's lock guards its variables, as in `Lookup`.

  /// The reason for a request to the source. If the readers have several reasons, the case that is declared last counts.
  enum Purpose: UInt8 {
    /// No image of the key is known.
    case first
    /// A known image must be revalidated.
    case revalidation
    /// The app requested a reload.
    case reload

    /// Whether the result may replace another image.
    var mayReplace: Bool { self != .first }
  }

  let picture: Picture
  let number: UInt32
  /// The descriptor of the future that requested the fetch first. Its disk tier may have the entry that a reload confirms.
  let descriptor: Descriptor
  var purpose: Purpose
  /// Whether a reader needs the picture as its smaller image, which is loaded on any network.
  var isForAnyNetwork = false
  /// Whether the first attempt has begun.
  var isLoading = false
  /// The number of readers that wait for the fetch, plus the number of readers for which it revalidates the image in the background.
  var readerCount: Int32 = 0
  /// The disk tiers that were read before the fetch and had no entry. They are retained, because a new tier at the address of a released
  /// tier would be mistaken for that tier.
  var missed: [any FutureImage.DiskTier] = []
  private var started: Started?

  /// State of a fetch that has started. In a long list, fetches that have not started do not allocate it.
  private final class Started {
    var history = Transfer.AttemptHistory()
    var fraction: Double?
    var attempt: TransferRun?
    var task: RunningTask?
  }

  private var ownStarted: Started {
    if let started { return started }
    let made = Started()
    started = made
    return made
  }

  /// The record of earlier attempts.
  var history: Transfer.AttemptHistory {
    get { started?.history ?? Transfer.AttemptHistory() }
    set { ownStarted.history = newValue }
  }

  /// The fraction of the body that has arrived, if it is known.
  var fraction: Double? {
    get { started?.fraction }
    set { ownStarted.fraction = newValue }
  }

  /// The current attempt, or the last attempt.
  var attempt: TransferRun? {
    get { started?.attempt }
    set { if started != nil || newValue != nil { ownStarted.attempt = newValue } }
  }

  var task: RunningTask? {
    get { started?.task }
    set { if started != nil || newValue != nil { ownStarted.task = newValue } }
  }

  init(_ picture: Picture, number: UInt32, _ descriptor: Descriptor, _ purpose: Purpose, _ rank: Rank) {
    (self.picture, self.number, self.descriptor, self.purpose) = (picture, number, descriptor, purpose)
    super.init(lane: descriptor.source.lane, rank)
  }
}

extension Picture {
  /// The facts about an image that outlive its readers, besides its generation. ``Registry`` limits the number of pictures with such facts.
  struct Remembered {
    /// The statements of the source about the time for which the image is valid; nil if there are none.
    var validity: Validity?
    var failureMemory = FailureMemory()
    /// The beginning of an interrupted body. ``ByteBudget`` sets it.
    var beginning: ByteBudget.Beginning?
    var renewedURLs = RenewedURLs()

    var isEmpty: Bool { validity == nil && failureMemory.isEmpty && beginning == nil && renewedURLs.isEmpty }
  }

  /// Removes the remembered failures of the picture's source.
  func forgetFailures(_ departed: inout Departed) {
    if !remembered.failureMemory.isEmpty { remembered.failureMemory.removeAll(&departed) }
  }
}
