import Observation

extension FutureImage: Observable {
  /// The observers of a future's properties, progress, phases, and reloads. Guarded by the future's lock. A future that nothing observes
  /// has none.
  final class Observers {
    let registrar = ObservationRegistrar()
    var progress: Progress?
    /// The children of the progress of a collection. A progress can have only one parent.
    var parts: [Part] = []
    var streams = PhaseStreams()
    var reloads: [ReloadWaiter] = []
  }

  struct Part {
    weak var progress: Progress?
  }

  /// The transfer's progress in thousandths; indeterminate while the length is unknown. Its `cancel()` cancels the future.
  ///
  /// It finishes when the bytes have arrived. A failure leaves it as it is, because a retry continues it: to end an indicator, observe
  /// ``phase``. It is updated on the main actor. A canceled progress stays canceled: a future that starts over has another one.
  public var progress: Progress {
    let future = root.pictureInUse
    let fresh = future.newProgress()
    guard future.descriptor != nil else {
      future.reportWithoutSource()
      fresh.show(.fetched)
      return fresh
    }
    future.start()
    return future.state.withLock { state in
      let observers = state.watching()
      let isOver = if case .failed = state.stage { true } else { false }
      if let progress = observers.progress, isOver || !progress.isCancelled { return progress }
      fresh.show(state.visibleStage)
      observers.progress = fresh
      return fresh
    }
  }

  /// Returns a separate progress for a parent to add. It counts a failure as completed: the parent shows when nothing more will arrive.
  func progressPart() -> Progress {
    let future = root
    let part = future.newProgress()
    guard future.descriptor != nil else {
      future.reportWithoutSource()
      part.show(.fetched, isPart: true)
      return part
    }
    future.start()
    let seen = future.state.withLock { state in
      let observers = state.watching()
      // Read inside the lock, and released outside it, because a progress may own objects of the app.
      let seen = observers.parts.map(\.progress)
      observers.parts = zip(observers.parts, seen).filter { $0.1 != nil }.map(\.0)
      observers.parts.append(Part(progress: part))
      part.show(state.visibleStage, isPart: true)
      return seen
    }
    withExtendedLifetime(seen) {}
    return part
  }

  /// Creates a progress, outside the lock: setting the handler may call it.
  private func newProgress() -> Progress {
    let progress = Progress(parent: nil, userInfo: nil)
    progress.cancellationHandler = { [weak self] in self?.cancel() }
    return progress
  }

  /// Records that an observer reads a property.
  func access<Member>(_ member: KeyPath<FutureImage, Member>) {
    guard descriptor != nil else { return }
    let registrar = state.withLock { $0.watching().registrar }
    registrar.access(self, keyPath: member)
  }
}

extension FutureImage.State {
  mutating func watching() -> FutureImage.Observers {
    watched = .phase
    if let observers { return observers }
    let made = FutureImage.Observers()
    observers = made
    return made
  }
}

extension Progress {
  func show(_ stage: FutureImage.State.Stage, isPart: Bool = false) {
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
