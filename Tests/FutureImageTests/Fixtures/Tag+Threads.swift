import Testing

extension Tag {
  /// Suites that use more than one thread, which the thread sanitizer runs.
  @Tag static var threads: Self
}
