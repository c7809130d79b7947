import Observation

extension FutureImage: Observable {
  /// The observers of a future's properties, progress, phases, and reloads. A future that nothing observes has no such object.
  final class Observers: @unchecked Sendable {
    // Sendable: the loader's lock guards the fields.

    let registrar = ObservationRegistrar()
    var progress: Progress?
    /// The parts of the progress of collections. Each collection has its own part, because a progress can have only one parent.
    var parts: [Part] = []
    var streams = PhaseStreams()
    /// The waiters for the current reload.
    var reloads: [ReloadWaiter] = []
    /// The waiters whose reload has ended. The next commit calls them.
    private var endedReloads: [ReloadWaiter] = []

    /// Records that the reload has ended.
    /// - Parameter failure: the reason why it failed; nil if a new image arrived, or the former image is still valid.
    func endReloads(_ failure: Failure?) {
      for var waiter in reloads {
        waiter.failure = failure
        endedReloads.append(waiter)
      }
      reloads = []
    }

    func takeEndedReloads() -> [ReloadWaiter] {
      let ended = endedReloads
      if !ended.isEmpty { endedReloads = [] }
      return ended
    }

    var hasReloads: Bool { !reloads.isEmpty || !endedReloads.isEmpty }

    /// Removes and returns a waiter that stops waiting.
    func takeReload(_ id: ObjectIdentifier) -> ReloadWaiter? {
      reloads.firstIndex { $0.id == id }.map { reloads.remove(at: $0) }
        ?? endedReloads.firstIndex { $0.id == id }.map { endedReloads.remove(at: $0) }
    }
  }

  struct Part {
    weak var progress: Progress?
  }

  /// The progress of the transfer, in thousandths. It is indeterminate while the length is unknown. Its `cancel()` cancels the future.
  ///
  /// The progress finishes when the bytes have arrived. A failure does not change it, because a retry continues it. To end an indicator,
  /// observe ``phase``. The progress is updated on the main actor. A canceled progress stays canceled, so a future that starts over has a
  /// new progress.
  public var progress: Progress {
    let future = root
    let (reader, fresh) = (future.readerInUse, future.newProgress())
    reader?.start()
    // The former progress leaves the lock with the result, so that it is not released inside.
    let progress = reader?.withLock { reader -> (current: Progress, former: Progress?) in
      let observers = future.watching(reader)
      let isOver = if case .failed = reader.stage { true } else { false }
      let former = observers.progress
      if let former, isOver || !former.isCancelled { return (former, nil) }
      fresh.show(reader.visibleStage)
      observers.progress = fresh
      return (fresh, former)
    }
    if let progress { return progress.current }
    future.reportWithoutSource()
    fresh.show(.fetched)
    return fresh
  }

  /// Returns a separate progress for a parent to add. It counts a failure as completed, so that the parent finishes when nothing more will
  /// arrive.
  func progressPart() -> Progress {
    let future = root
    let part = future.newProgress()
    future.start()
    let seen = future.withReader { reader in
      let observers = future.watching(reader)
      // The progress objects are read inside the lock and released outside it, because a progress may own objects of the app.
      let seen = observers.parts.map(\.progress)
      observers.parts = zip(observers.parts, seen).filter { $0.1 != nil }.map(\.0)
      observers.parts.append(Part(progress: part))
      part.show(reader.visibleStage, isPart: true)
      return seen
    }
    if seen == nil {
      future.reportWithoutSource()
      part.show(.fetched, isPart: true)
    }
    withExtendedLifetime(seen) {}
    return part
  }

  /// Creates a progress. Call this method outside the lock, because setting the handler may call it.
  private func newProgress() -> Progress {
    let progress = Progress(parent: nil, userInfo: nil)
    progress.cancellationHandler = { [weak self] in self?.cancel() }
    return progress
  }

  /// Records that an observer reads a property.
  func access<Member>(_ member: KeyPath<FutureImage, Member>, of reader: Reader) {
    let registrar = reader.withLock { watching($0).registrar }
    registrar.access(self, keyPath: member)
  }

  /// Returns the observers of the future. Call this method inside the lock.
  func watching(_ reader: Reader) -> Observers {
    if reader.future == nil { reader.future = self }
    return reader.watching()
  }
}

extension Reader {
  func watching() -> FutureImage.Observers {
    watch(.phase)
    if let observers { return observers }
    let made = FutureImage.Observers()
    observers = made
    return made
  }

  /// Records that something watches the image.
  func watch(_ part: Watched) {
    guard watched < part else { return }
    // From now on, the visible stage changes only with a commit.
    if part == .phase { visibleStage = stage }
    watched = part
  }
}

extension Progress {
  func show(_ stage: FutureImage.Stage, isPart: Bool = false) {
    switch stage {
    case .waiting, .loading(nil):
      break
    case .loading(let fraction?):
      totalUnitCount = 1000
      completedUnitCount = max(completedUnitCount, Int64(fraction * 1000))
    case .failed where !isPart:
      break
    case .fetched, .failed:
      totalUnitCount = 1000
      completedUnitCount = 1000
    }
  }
}
