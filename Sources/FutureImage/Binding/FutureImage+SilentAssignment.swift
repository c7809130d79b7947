extension FutureImage {
  /// Records that something draws this image, measures it, or reads its bitmap. Does nothing in a release build.
  func noteDrawing() {
    #if DEBUG
    // A carrier, which is the private future that a binding puts into a view, needs no check. Only a carrier has an origin.
    if origin == nil { SilentAssignment.watch.noteDrawing(of: self) }
    #endif
  }
}

#if DEBUG
/// Reports futures that were assigned to a view as plain images. Such a view shows the placeholder forever. Examples of assignments are
/// `imageView.image = photo`, `UIImageView(image: photo)`, `content.image = photo`, `Image(uiImage: photo)`, and `animationImages`.
///
/// A view reads the variant (``FutureImage/withConfiguration(_:)``) and the bitmap of each image. If a view has read either from a future,
/// and nothing has bound the future two seconds later, the future was assigned. The delay allows code to assign a future first and bind it
/// in the same turn.
final class SilentAssignment: Sendable {
  /// The instance in use. A task may replace it with its own, so that a test can count and read the messages.
  @TaskLocal static var watch = SilentAssignment()

  private static let delay = Duration.seconds(2)

  private enum Stage {
    case idle, waiting, hasReported
  }

  private let stage = Lock(Stage.idle)
  private let write: @Sendable (String) -> Void

  init(write: @escaping @Sendable (String) -> Void = { writePlatformLog($0) }) {
    self.write = write
  }

  /// Whether a future is being watched. Watching one future at a time is enough, because the process reports only one.
  var isWaiting: Bool { stage.withLock { $0 == .waiting } }

  /// Starts to watch the future, because something draws it. Any thread may call this method.
  func noteDrawing(of future: FutureImage) {
    guard let descriptor = future.descriptor, !future.isBound, begin() else { return }
    _ = Scheduling.task("a look for a silent assignment") { [weak future, clock = descriptor.loader.configuration.clock] in
      try? await clock.sleep(for: Self.delay)
      let isSilent = future.map { !$0.isBound } ?? false
      if isSilent, let future { self.report(future) }
      self.stage.withLock { $0 = isSilent ? .hasReported : .idle }
    }
  }

  /// Returns whether the caller must watch its future.
  private func begin() -> Bool {
    stage.withLock { stage in
      guard stage == .idle else { return false }
      stage = .waiting
      return true
    }
  }

  private func report(_ future: FutureImage) {
    write(
      "FutureImage: \(future.key.isEmpty ? "an image" : future.key) is shown as a plain image, so its placeholder stays forever; bind it "
        + "by imageView.futureImage = photo, by cell.display(content) for a configuration, or by display(photo, for: .normal) for a "
        + "button.")
  }
}

extension FutureImage {
  fileprivate var isBound: Bool { readersInUse.contains { $0.withLock(\.isBound) } }
}
#endif
