import Testing

extension Tag {
  /// The tag of suites that use more than one thread. These suites also run under the thread sanitizer.
  @Tag static var threads: Self
}
