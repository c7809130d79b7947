extension FutureImage {
  /// Which of two pictures that are wanted for the same reason is loaded first.
  public enum Priority: Int8, Sendable, Comparable {
    /// After all others.
    case low = -1
    /// In the order of asking; of those that are shown the latest first.
    case normal = 0
    /// Before all others.
    case high = 1

    public static func < (lhs: Priority, rhs: Priority) -> Bool { lhs.rawValue < rhs.rawValue }
  }
}

/// A job's place in the queue. The greatest goes first.
struct Rank: Comparable, Sendable {
  /// Why somebody wants the job done.
  enum Reason: UInt8, Comparable, Sendable {
    /// A future was created.
    case created
    case prefetched
    /// A view shows it, or somebody waits for the picture.
    case bound

    static func < (lhs: Reason, rhs: Reason) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  var reason: Reason
  var priority = FutureImage.Priority.normal
  /// Counts up. The view bound last is the one that people look at; all else goes in the order of asking.
  var order: UInt64 = 0

  /// How urgent the job's task is to the system. Neither who asked first nor who gave up the slot counts for that. A picture
  /// that is shown is as urgent as any, since its rank is above all others.
  var taskPriority: TaskPriority {
    switch (reason, priority) {
    case (.bound, _), (_, .high): .high
    case (_, .normal): .medium
    case (_, .low): .low
    }
  }

  static func < (lhs: Rank, rhs: Rank) -> Bool {
    if lhs.reason != rhs.reason { return lhs.reason < rhs.reason }
    if lhs.priority != rhs.priority { return lhs.priority < rhs.priority }
    return lhs.reason == .bound ? lhs.order < rhs.order : lhs.order > rhs.order
  }
}
