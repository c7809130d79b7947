/// The encoded bytes that the futures of a loader retain, under one limit.
///
/// A future retains bytes until its views have been measured, and permanently if no disk tier stores them. All of them can be loaded again,
/// from a tier or the source. So beyond the limit the oldest are released, those that a disk tier has first. Futures of one image share its
/// bytes, which count once.
///
/// The beginnings of bodies that broke off count, too, until a transfer requests the rest. Beyond the limit they are released first.
final class HeldBytes: Sendable {
  /// The bytes of one image. All copies of an ``Encoded`` refer to the same object.
  final class Share: Sendable {
    let key: SourceKey
    let count: Int
    private let owner: HeldBytes
    private let number = Lock<UInt64?>(nil)

    fileprivate init(key: SourceKey, count: Int, owner: HeldBytes) {
      self.key = key
      self.count = count
      self.owner = owner
    }

    deinit {
      if let number = number.withLock({ $0 }) { owner.remove(number) }
    }

    /// - Returns: false if the share is already registered.
    fileprivate func register(_ new: UInt64) -> Bool {
      number.withLock { number in
        guard number == nil else { return false }
        number = new
        return true
      }
    }

    fileprivate var registered: UInt64? { number.withLock { $0 } }

    /// Stops counting the share until a future retains it again.
    fileprivate func unregister() { number.withLock { $0 = nil } }
  }

  private struct Reference {
    weak var share: Share?
  }

  /// The beginning of a body, and the URL that it came from.
  private struct Beginning {
    let partial: PartialBody
    let url: URL
  }

  /// Shares by number, the oldest first.
  private typealias Line = MemoryCache<UInt64, Reference>

  private struct State {
    var lastNumber: UInt64 = 0
    /// The shares that a disk tier has.
    var stored = Line()
    /// The shares that only their sources have.
    var unstored = Line()
    /// The beginnings by key, the oldest first.
    var beginnings = MemoryCache<SourceKey, Beginning>()

    var wholes: Int { stored.totalCost + unstored.totalCost }
    var total: Int { wholes + beginnings.totalCost }

    /// - Returns: the beginnings that were evicted.
    mutating func trimBeginnings(_ limit: Int) -> [Beginning] {
      beginnings.trim(toCost: max(0, limit - wholes), count: 1_000)
    }
  }

  private let limit: Int
  private let state = Lock(State())

  /// - Parameter limit: the limit, in bytes.
  init(limit: Int) {
    self.limit = limit
  }

  /// The number of bytes that count now.
  var total: Int { state.withLock { $0.total } }

  /// Returns a share that counts once a future retains it.
  func share(of key: SourceKey, count: Int) -> Share { Share(key: key, count: count, owner: self) }

  /// Counts the share, which a future now retains.
  /// - Parameter isStored: whether a disk tier has the bytes, or is about to store them.
  /// - Returns: the shares that futures must release for it.
  func hold(_ share: Share, isStored: Bool) -> [Share] {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    guard share.register(number) else {
      if !isStored { noteUnstored(share) }
      return []
    }
    let (overflow, _) = state.withLock { state -> ([Share], [Beginning]) in
      // These have no limits of their own, so nothing is evicted yet.
      _ =
        isStored
        ? state.stored.insert(Reference(share: share), forKey: number, cost: share.count)
        : state.unstored.insert(Reference(share: share), forKey: number, cost: share.count)
      guard state.total > limit else { return ([], []) }
      // Returned, to be released outside of the lock.
      let beginnings = state.trimBeginnings(limit)
      // The newest share stays: it is about to be decoded.
      let removed =
        state.stored.trim(toCost: max(limit - state.unstored.totalCost, isStored ? share.count : 0))
        + state.unstored.trim(toCost: max(limit - state.stored.totalCost, isStored ? 0 : share.count))
      return (removed.compactMap { Scheduling.read($0.share) }, beginnings)
    }
    for share in overflow { share.unregister() }
    return overflow
  }

  /// Notes that a disk tier was about to store the bytes, and could not.
  private func noteUnstored(_ share: Share) {
    guard let number = share.registered else { return }
    state.withLock { state in
      guard let reference = state.stored.removeValue(forKey: number) else { return }
      _ = state.unstored.insert(reference, forKey: number, cost: share.count)
    }
  }

  /// Retains the beginning of a body until a transfer requests the rest.
  func keep(_ partial: PartialBody, of key: SourceKey, from url: URL) {
    _ = state.withLock { state in
      state.beginnings.insert(Beginning(partial: partial, url: url), forKey: key, cost: partial.byteCount) + state.trimBeginnings(limit)
    }
  }

  /// Removes the beginning of the key's body, and returns it if it came from this URL.
  func takeBeginning(of key: SourceKey, from url: URL) -> PartialBody? {
    let beginning = state.withLock { $0.beginnings.removeValue(forKey: key) }
    return beginning?.url == url ? beginning?.partial : nil
  }

  private func remove(_ number: UInt64) {
    state.withLock { state in
      _ = state.stored.removeValue(forKey: number)
      _ = state.unstored.removeValue(forKey: number)
    }
  }
}
