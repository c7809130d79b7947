/// The encoded bytes that the futures of a loader hold, under one limit.
///
/// A future holds bytes until its views were measured, and for good where no disk tier stores them. Each can be had again, from its tier or
/// its source; so beyond the limit the oldest are let go, those first that a disk tier has. Futures of one picture share its bytes, which
/// count once.
///
/// The beginnings of bodies that broke off count, too, until a transfer asks for the rest. Beyond the limit they go first.
final class HeldBytes: Sendable {
  /// One picture's bytes. All copies of an ``Encoded`` have the same object.
  final class Share: Sendable {
    let key: SourceKey
    let count: Int
    private let owner: HeldBytes
    private let number = Lock<UInt64?>(nil)

    fileprivate init(_ key: SourceKey, _ count: Int, _ owner: HeldBytes) {
      self.key = key
      self.count = count
      self.owner = owner
    }

    deinit {
      if let number = number.withLock({ $0 }) { owner.remove(number) }
    }

    /// - Returns: false where it is registered already.
    fileprivate func register(_ new: UInt64) -> Bool {
      number.withLock { number in
        guard number == nil else { return false }
        number = new
        return true
      }
    }

    fileprivate var registered: UInt64? { number.withLock { $0 } }

    /// It counts again when a future takes hold of it again.
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

  /// By number, the oldest first.
  private typealias Line = MemoryCache<UInt64, Reference>

  private struct State {
    var lastNumber: UInt64 = 0
    /// Those that a disk tier has.
    var stored = Line()
    /// Those that only their sources have.
    var unstored = Line()
    /// The beginnings by key, the oldest first.
    var beginnings = MemoryCache<SourceKey, Beginning>()

    var wholes: Int { stored.totalCost + unstored.totalCost }
    var total: Int { wholes + beginnings.totalCost }

    /// - Returns: the beginnings that had to go.
    mutating func trimBeginnings(_ limit: Int) -> [Beginning] {
      beginnings.trim(toCost: max(0, limit - wholes), count: 1_000)
    }
  }

  private let limit: Int
  private let state = Lock(State())

  /// - Parameter limit: in bytes.
  init(limit: Int) {
    self.limit = limit
  }

  /// The bytes that count now.
  var total: Int { state.withLock { $0.total } }

  /// A share that counts from when a future holds it.
  func share(of key: SourceKey, count: Int) -> Share { Share(key, count, self) }

  /// Counts the share, which a future holds now.
  /// - Parameter isStored: whether a disk tier has the bytes, or is about to.
  /// - Returns: what the futures have to let go of for it.
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
      // Without limits of their own, so nothing goes yet.
      _ =
        isStored
        ? state.stored.insert(Reference(share: share), forKey: number, cost: share.count)
        : state.unstored.insert(Reference(share: share), forKey: number, cost: share.count)
      guard state.total > limit else { return ([], []) }
      // Given out, to be released outside of the lock.
      let beginnings = state.trimBeginnings(limit)
      // The newest stays: it is about to be decoded.
      let removed =
        state.stored.trim(toCost: max(limit - state.unstored.totalCost, isStored ? share.count : 0))
        + state.unstored.trim(toCost: max(limit - state.stored.totalCost, isStored ? 0 : share.count))
      return (removed.compactMap { Scheduling.read($0.share) }, beginnings)
    }
    for share in overflow { share.unregister() }
    return overflow
  }

  /// Bytes that a disk tier was about to store, and could not.
  private func noteUnstored(_ share: Share) {
    guard let number = share.registered else { return }
    state.withLock { state in
      guard let reference = state.stored.removeValue(forKey: number) else { return }
      _ = state.unstored.insert(reference, forKey: number, cost: share.count)
    }
  }

  /// Retains the beginning of a body until a transfer asks for the rest.
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
