/// Tells when a network has returned, from the states that the system reports. Pure.
///
/// | reported | return |
/// | --- | --- |
/// | reachable, reachable | no, no |
/// | not reachable, reachable | no, yes |
struct NetworkReturns {
  private var wasReachable = true

  mutating func isReturn(isReachable: Bool) -> Bool {
    defer { wasReachable = isReachable }
    return isReachable && !wasReachable
  }
}
