extension FutureImage {
  /// The priority of an image among all images that are requested for the same reason.
  ///
  /// Images that a view shows or code awaits are loaded first, then prefetched images, then images that only have a future. Within each of
  /// these groups, the priority decides. Among images of equal priority, the latest request is first in the first group, and the earliest
  /// request is first in the other groups.
  public enum Priority: Sendable, Comparable {
    /// The image is loaded after images of a higher priority.
    case low
    /// The image is loaded after images of the priority `high`, and before images of the priority `low`.
    case normal
    /// The image is loaded before images of a lower priority.
    case high
  }
}

/// A job's rank in the queue. The job with the greatest rank starts first.
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
  /// A number that increases with each request. Among bound images, the latest request starts first, because people look at the view that
  /// was bound last. All other jobs start in the order of the requests.
  var order: UInt64 = 0

  /// The priority that the system uses for the job's task. It depends only on the job's reason and priority, not on the order of the
  /// requests. If a view shows the image or code awaits it, the task priority is high, whatever priority the app chose, because the job's
  /// rank is above all others.
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
