import Testing

extension Tag {
  /// Marks the suites that use more than one thread. The run with the thread sanitizer includes these suites.
  @Tag static var threads: Self
}
