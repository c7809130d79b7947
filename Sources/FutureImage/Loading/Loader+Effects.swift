/// The only way out of the loader's lock.
///
/// A change of the tables only notes its consequences. At the end of the change, still inside the lock, jobs start: this creates tasks and
/// enqueues blocks but runs nothing, and no cancellation can overtake a start. All else follows outside, in ``perform(_:)``.
extension FutureImage.Loader {
  /// The consequences of a change.
  struct Effects {
    /// The kind of work that the change has ended. The search for work that may begin then happens once, at the end of the change.
    enum Ending: Comparable {
      case nothing
      /// Writes may begin now, or the loader may be idle.
      case work
      /// A transfer or a lookup has ended, or gave up its slot: a future of the backlog may be admitted, too.
      case slot
    }

    // Jobs to start and cancel, in this order.
    fileprivate var lookups: [LookupTable.Action] = []
    fileprivate var transfers: [TransferTable.Action] = []
    fileprivate var decodes: [DecodeTable.Action] = []
    /// Tasks to cancel outside of the lock, because the app's cancellation handlers run.
    var canceled: [Task<Void, Never>] = []
    fileprivate(set) var ending = Ending.nothing

    mutating func note(_ ending: Ending) { self.ending = max(self.ending, ending) }

    mutating func note(_ actions: [LookupTable.Action]) { Self.append(actions, to: &lookups) }
    mutating func note(_ actions: [TransferTable.Action]) { Self.append(actions, to: &transfers) }
    mutating func note(_ actions: [DecodeTable.Action]) { Self.append(actions, to: &decodes) }

    // Usually there is one action and none before it: no second array is allocated.
    private static func append<Action>(_ actions: [Action], to others: inout [Action]) {
      if actions.isEmpty { return }
      if others.isEmpty { others = actions } else { others += actions }
    }
  }

  /// The consequences to perform outside of the lock. A class, because most changes have none, and passing on nothing is then free.
  fileprivate final class Rest {
    let canceled: [Task<Void, Never>]
    let settled: [CheckedContinuation<Void, Never>]
    let admitted: Backlog.Entry?

    init(canceled: [Task<Void, Never>], settled: [CheckedContinuation<Void, Never>], admitted: Backlog.Entry?) {
      (self.canceled, self.settled, self.admitted) = (canceled, settled, admitted)
    }
  }

  /// Changes the tables, and performs the consequences before it returns.
  @discardableResult func change<Result>(_ body: (inout State) -> Result) -> Result {
    let (result, rest) = state.withLock { state in
      let result = body(&state)
      return (result, state.performEffects(upTo: State.few, by: self))
    }
    perform(rest)
    return result
  }

  /// Changes the tables, and then notifies futures. The loader is not idle in between. Work that may begin now begins after that.
  /// - Parameters:
  ///   - ending: what the change has ended.
  ///   - end: changes the tables once more, after all futures were notified.
  func change<Result>(
    ending: Effects.Ending = .slot, _ body: (inout State) -> Result, telling tell: (Result) -> Void,
    then end: (inout State, Result) -> Void = { _, _ in }
  ) {
    let result = change { state in
      state.pendingWork += 1
      return body(&state)
    }
    tell(result)
    change { state in
      end(&state, result)
      state.pendingWork -= 1
      state.effects.note(ending)
    }
  }

  private func perform(_ rest: Rest?) {
    var rest = rest
    while let next = rest {
      for task in next.canceled { task.cancel() }
      for continuation in next.settled { continuation.resume() }
      guard let entry = next.admitted else { return }
      if let future = entry.future { admit(future) }
      rest = state.withLock { state in
        // Until now the loader was not idle, although the request was in no table.
        state.pendingWork -= 1
        state.isAdmitting = false
        state.effects.note(.slot)
        return state.performEffects(upTo: State.enough, by: self)
      }
    }
  }
}

extension FutureImage.Loader.State {
  /// - Parameter level: the number of jobs of a lane that may wait before futures stay in the backlog.
  fileprivate mutating func performEffects(upTo level: Int, by loader: Loader) -> Loader.Rest? {
    // Starting one job may end another. A run that is canceled in the change that starts it releases its slot.
    while !effects.lookups.isEmpty || !effects.transfers.isEmpty || !effects.decodes.isEmpty {
      for action in effects.lookups.taken() { perform(action, by: loader) }
      for action in effects.transfers.taken() { perform(action, by: loader) }
      for action in effects.decodes.taken() { perform(action, by: loader) }
    }
    watchSilenceIfCrowded(by: loader)
    let ending = effects.ending
    effects.ending = .nothing
    let admitted = ending == .slot ? takeAdmissible(upTo: level) : nil
    var settled: [CheckedContinuation<Void, Never>] = []
    if ending > .nothing, admitted == nil {
      beginWrites(by: loader)
      settled = takeSettled(by: loader)
    }
    let canceled = effects.canceled.taken()
    if canceled.isEmpty, settled.isEmpty, admitted == nil { return nil }
    return Loader.Rest(canceled: canceled, settled: settled, admitted: admitted)
  }

  /// - Returns: the continuations that wait for the loader to be idle, if it is.
  private mutating func takeSettled(by loader: Loader) -> [CheckedContinuation<Void, Never>] {
    guard isIdle, !settling.isEmpty, loader.writeCount == 0 else { return [] }
    var settled: [CheckedContinuation<Void, Never>] = []
    settling.removeAll { waiting in
      guard loader.phaseReaders.areIdle(besides: waiting.caller) else { return false }
      settled.append(waiting.continuation)
      return true
    }
    return settled
  }
}

extension Array {
  /// Removes and returns all elements.
  fileprivate mutating func taken() -> [Element] {
    var taken: [Element] = []
    if !isEmpty { swap(&taken, &self) }
    return taken
  }
}
