extension FutureImage {
  /// The order in which images that are requested for the same reason are loaded.
  public enum Priority: Sendable, Comparable {
    /// After all others.
    case low
    /// In the order of the requests; among images that views show, the latest first.
    case normal
    /// Before all others.
    case high
  }
}

/// A job's rank in the queue. The greatest starts first.
struct Rank: Comparable, Sendable {
  /// The urgency of a job: the reason for which it is requested.
  enum Reason: UInt8, Comparable, Sendable {
    /// A future was created.
    case created
    case prefetched
    /// A view shows the future, or code awaits the image.
    case bound

    static func < (lhs: Reason, rhs: Reason) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  var reason: Reason
  var priority = FutureImage.Priority.normal
  /// A number that counts up. The view bound last is the one that people look at; all other jobs start in the order of the requests.
  var order: UInt64 = 0

  /// The priority of the job's task to the system. Neither the order of requests nor the job that freed the slot affects it. It is high for
  /// an image that a view shows or code awaits, whatever the app's priority, because its rank is above all others.
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
