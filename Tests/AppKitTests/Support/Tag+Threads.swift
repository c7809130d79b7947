import Testing

extension Tag {
  /// Suites that use more than one thread. The thread sanitizer runs them.
  @Tag static var threads: Self
}
