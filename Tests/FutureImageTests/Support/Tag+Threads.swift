import Testing

extension Tag {
  /// Suites that use more than one thread: those that the thread sanitizer runs.
  @Tag static var threads: Self
}
