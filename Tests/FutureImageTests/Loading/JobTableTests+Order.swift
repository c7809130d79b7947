import Testing

@testable import FutureImage

/// The order in which jobs start.
extension JobTableTests {
  /// Returns the keys in the order in which their jobs run, one at a time, after a job that has the only slot.
  private func order(_ prepare: (inout Table) -> Void) -> [String] {
    var table = Table(limit: 1)
    var run: (key: String, number: UInt64)? = ("first", 1)
    _ = table.want("first", reason: .bound, waiter: 0)
    prepare(&table)
    var keys: [String] = []
    while let current = run {
      run = nil
      for case .start(let key, let number) in table.finish(current.key, run: current.number).actions {
        keys.append(key)
        run = (key, number)
      }
    }
    #expect(table.isEmpty)
    return keys
  }

  // MARK: Order

  @Test("Created and prefetched jobs run in the order of their requests", arguments: [Rank.Reason.created, .prefetched])
  func firstComeFirstServed(reason: Rank.Reason) {
    let keys = (1...20).map { "\($0)" }
    #expect(order { for key in keys { _ = $0.want(key, reason: reason, waiter: 1) } } == keys)
  }

  @Test("The most recently bound job runs first")
  func latestBoundFirst() {
    let keys = (1...20).map { "\($0)" }
    #expect(order { for key in keys { _ = $0.want(key, reason: .bound, waiter: 1) } } == keys.reversed())
  }

  @Test("Bound jobs run before prefetched jobs, and these before created ones, whatever the priority")
  func reasonGoesFirst() {
    let keys = order {
      _ = $0.want("created", reason: .created, priority: .high, waiter: 1)
      _ = $0.want("prefetched", reason: .prefetched, priority: .normal, waiter: 1)
      _ = $0.want("bound", reason: .bound, priority: .low, waiter: 1)
    }
    #expect(keys == ["bound", "prefetched", "created"])
  }

  @Test("Jobs with the same reason run by priority", arguments: [Rank.Reason.created, .prefetched, .bound])
  func priorityInsideReason(reason: Rank.Reason) {
    let keys = order {
      _ = $0.want("normal", reason: reason, waiter: 1)
      _ = $0.want("high", reason: reason, priority: .high, waiter: 1)
      _ = $0.want("low", reason: reason, priority: .low, waiter: 1)
    }
    #expect(keys == ["high", "normal", "low"])
  }

  // MARK: Promotion

  @Test("A promoted job moves ahead of all jobs that wait for a lesser reason")
  func promote() {
    let keys = order {
      for key in ["a", "b", "c"] { _ = $0.want(key, reason: .created, waiter: 1) }
      $0.promote("c", reason: .bound)
    }
    #expect(keys == ["c", "a", "b"])
  }

  @Test("A waiter that joins for a better reason promotes the job")
  func joiningPromotes() {
    let keys = order {
      for key in ["a", "b", "c"] { _ = $0.want(key, reason: .created, waiter: 1) }
      _ = $0.want("b", reason: .prefetched, waiter: 2)
    }
    #expect(keys == ["b", "a", "c"])
  }

  @Test("A job that is bound again becomes the most recently bound one")
  func boundAgain() {
    let keys = order {
      for key in ["a", "b", "c"] { _ = $0.want(key, reason: .bound, waiter: 1) }
      $0.promote("a", reason: .bound)
    }
    #expect(keys == ["a", "c", "b"])
  }

  @Test("Neither a promotion nor another waiter moves a job back")
  func neverBack() {
    let keys = order {
      for key in ["a", "b"] { _ = $0.want(key, reason: .bound, waiter: 1) }
      $0.promote("b", reason: .created)
      _ = $0.want("b", reason: .prefetched, priority: .low, waiter: 2)
      for key in ["c", "d"] { _ = $0.want(key, reason: .created, waiter: 1) }
      $0.promote("c", reason: .created)
    }
    #expect(keys == ["b", "a", "c", "d"])
  }

  @Test("A waiter that joins for a request of the same order does not move the job back")
  func sameOrder() {
    let keys = order {
      for key in ["a", "b"] { _ = $0.want(key, reason: .created, order: 5, waiter: 1) }
      _ = $0.want("a", reason: .created, order: 5, waiter: 2)
    }
    #expect(keys == ["a", "b"])
  }

  @Test("A job stays promoted when the waiter that promoted it leaves")
  func placeOutlivesPromoter() {
    let keys = order {
      for key in ["a", "b"] { _ = $0.want(key, reason: .created, waiter: 1) }
      _ = $0.want("b", reason: .bound, waiter: 2)
      _ = $0.drop("b", waiter: 2)
    }
    #expect(keys == ["b", "a"])
  }

  @Test("Promoting a running or an unknown job changes nothing")
  func promoteInVain() {
    let keys = order {
      _ = $0.want("a", reason: .created, waiter: 1)
      $0.promote("first", reason: .bound, priority: .high)
      $0.promote("nobody's", reason: .bound)
      #expect($0.count == 2)
      #expect(!$0.contains("nobody's"))
    }
    #expect(keys == ["a"])
  }

  @Test("A job that left the queue and is requested again gets a new position")
  func leavesNoPlaceBehind() {
    let keys = order {
      _ = $0.want("a", reason: .bound, waiter: 1)
      _ = $0.drop("a", waiter: 1)
      _ = $0.want("b", reason: .created, waiter: 1)
      _ = $0.want("a", reason: .created, waiter: 1)
    }
    #expect(keys == ["b", "a"])
  }

  // MARK: Limits

  @Test("At most as many jobs run as the limit, and each end starts another", arguments: [1, 3, 8])
  func limit(_ limit: Int) {
    var table = Table(limit: limit)
    var running: [(String, UInt64)] = []
    var most = 0
    func perform(_ actions: [Table.Action]) {
      for case .start(let key, let run) in actions { running.append((key, run)) }
      most = max(most, running.count)
    }
    for number in 0..<30 { perform(table.want("\(number)", reason: .created, waiter: 1).actions) }
    #expect(running.count == limit)
    for left in (0..<30).reversed() {
      guard let (key, run) = running.popLast() else { break }
      perform(table.finish(key, run: run).actions)
      #expect(running.count == min(limit, left))
    }
    #expect(most == limit)
    #expect(table.isEmpty)
  }

  @Test("A lane at its limit does not delay another")
  func fullLaneLetsOthersPass() {
    var table = Table(limit: 4, laneLimit: 2)
    for key in ["a1", "a2", "a3"] { _ = table.want(key, lane: "a", reason: .bound, waiter: 1) }
    #expect(table.isRunning("a1", run: 1))
    #expect(table.isRunning("a2", run: 2))
    #expect(table.want("b1", lane: "b", reason: .created, priority: .low, waiter: 1).actions == [.start("b1", run: 3)])
    // The end of the other lane's job frees no slot of this lane. The end of one of its own jobs does.
    #expect(table.finish("b1", run: 3).actions.isEmpty)
    #expect(table.finish("a1", run: 1).actions == [.start("a3", run: 4)])
  }

  @Test("A free slot is given to the best job of the lanes below their limit")
  func bestOfOpenLanes() {
    var table = Table(limit: 3, laneLimit: 2)
    for key in ["a1", "a2", "a3"] { _ = table.want(key, lane: "a", reason: .bound, waiter: 1) }
    _ = table.want("b1", lane: "b", reason: .created, waiter: 1)
    _ = table.want("b2", lane: "b", reason: .created, waiter: 1)
    _ = table.want("c1", lane: "c", reason: .prefetched, waiter: 1)
    #expect(table.finish("b1", run: 3).actions == [.start("c1", run: 4)])
    #expect(table.finish("c1", run: 4).actions == [.start("b2", run: 5)])
    _ = table.drop("a2", waiter: 1)
    #expect(table.finish("a2", run: 2).actions == [.start("a3", run: 6)])
  }

  @Test("A canceled job releases its slot in its lane when its run has ended")
  func cancelFreesLane() {
    var table = Table(limit: 9, laneLimit: 1)
    _ = table.want("a1", lane: "a", reason: .created, waiter: 1)
    _ = table.want("a2", lane: "a", reason: .created, waiter: 1)
    #expect(table.drop("a1", waiter: 1) == [.cancel("a1", run: 1)])
    #expect(table.finish("a1", run: 1).actions == [.start("a2", run: 2)])
    #expect(table.remove("a2") == [.cancel("a2", run: 2)])
    #expect(table.want("a3", lane: "a", reason: .created, waiter: 1).actions.isEmpty)
    #expect(table.want("b1", lane: "b", reason: .created, waiter: 1).actions == [.start("b1", run: 3)])
    #expect(table.finish("a2", run: 2).actions == [.start("a3", run: 4)])
  }
}
