/// A message for developers about a mistake that would otherwise be silent. The message is written once, however often the mistake is made.
struct DeveloperWarning: Sendable {
  let text: String
  private let write: @Sendable (String) -> Void
  private let isWritten = Lock(false)

  init(_ text: String, write: @escaping @Sendable (String) -> Void = { writePlatformLog($0) }) {
    self.text = text
    self.write = write
  }

  /// Writes the message, but only once. This method may be called on any thread.
  func report() {
    let isFirst = isWritten.withLock { isWritten in
      defer { isWritten = true }
      return !isWritten
    }
    if isFirst { write(text) }
  }

  static let colorWithoutComponents = DeveloperWarning(
    "FutureImage: a color, such as a pattern, has no red, green, and blue components, so a transform uses a clear color instead. Use "
      + "a plain color.")

  /// The warning about a future without a source. A test may replace this warning in the task of the test, to count and read the
  /// messages.
  @TaskLocal static var futureWithoutSource = DeveloperWarning(
    "FutureImage: an image of this class has no source, so it shows its own pixels and loads nothing. It was made by an initializer of "
      + "UIImage, or copied by UIKit. Show the future itself, or derive images from its `image` or `value`.")
}
