import Observation

extension FutureImage: Observable {
  /// The progress of the transfer, in thousandths. It is indeterminate while the length is unknown. Its `cancel()` cancels the future.
  ///
  /// The progress finishes when the bytes have arrived. A failure leaves the progress unchanged, because a retry may continue from there.
  /// To end an indicator, observe ``phase``. The progress is updated on the main actor. A canceled progress stays canceled, so a future
  /// that starts over has a new progress.
  public var progress: Progress {
    let future = root
    let (reader, new) = (future.readerInUse, future.newProgress())
    reader?.start()
    // The former progress is part of the result, so that it is released outside the lock.
    let progress = reader?.withLock { reader -> (current: Progress, former: Progress?) in
      let observers = future.watching(reader)
      let hasEnded = if case .failed = reader.stage { true } else { false }
      let former = observers.progress
      if let former, hasEnded || !former.isCancelled { return (former, nil) }
      new.show(reader.visibleStage)
      observers.progress = new
      return (new, former)
    }
    if let progress { return progress.current }
    future.reportWithoutSource()
    new.show(.fetched)
    return new
  }

  /// Returns a new progress that a parent progress can add as its child. The new progress counts a failure as completed, so that the parent
  /// finishes when nothing more will arrive.
  func progressPart() -> Progress {
    let future = root
    let part = future.newProgress()
    future.start()
    let progresses = future.withReader { reader in
      let observers = future.watching(reader)
      // The progress objects are read inside the lock and released outside it, because a progress may own objects of the app.
      let progresses = observers.parts.map(\.progress)
      observers.parts = zip(observers.parts, progresses).filter { $0.1 != nil }.map(\.0)
      observers.parts.append(Part(progress: part))
      part.show(reader.visibleStage, isPart: true)
      return progresses
    }
    if progresses == nil {
      future.reportWithoutSource()
      part.show(.fetched, isPart: true)
    }
    withExtendedLifetime(progresses) {}
    return part
  }

  /// Creates a progress. Call this method outside the lock, because setting the cancellation handler may call the handler at once.
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

extension Progress {
  /// Shows a stage of loading. The stage of a failure changes nothing, except in a part of a parent progress, which it completes.
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
