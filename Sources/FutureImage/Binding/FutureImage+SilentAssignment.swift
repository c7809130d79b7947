extension FutureImage {
  /// Records that something draws this image, measures it, or reads its bitmap. Does nothing in a release build.
  func noteDrawing() {
    #if DEBUG
    // Only a binding makes carriers.
    if origin == nil { SilentAssignment.watch.isDrawn(self) }
    #endif
  }
}

#if DEBUG
/// Reports futures that were given to a view as plain images, which show their placeholder forever: `imageView.image = photo`,
/// `UIImageView(image: photo)`, `content.image = photo`, `Image(uiImage: photo)`, `animationImages`.
///
/// A view asks each image for its variant (``FutureImage/withConfiguration(_:)``) and its bitmap. A future that is asked, and that nothing
/// has bound two seconds later, was assigned. Code may assign a future first and bind it in the same turn.
final class SilentAssignment: Sendable {
  /// A task may replace it with its own, so that a test sees what is written and how often.
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

  /// Whether a future is being watched. One at a time is enough, because one is reported in a process.
  var isWaiting: Bool { stage.withLock { $0 == .waiting } }

  /// Call it on any thread.
  func isDrawn(_ future: FutureImage) {
    guard let descriptor = future.descriptor, !future.isBound, begin() else { return }
    _ = Scheduling.task("a look for a silent assignment") { [weak future, clock = descriptor.loader.configuration.clock] in
      try? await clock.sleep(for: Self.delay)
      let isSilent = future.map { !$0.isBound } ?? false
      if isSilent, let future { self.report(future) }
      self.stage.withLock { $0 = isSilent ? .hasReported : .idle }
    }
  }

  /// Returns whether the caller is to watch its future.
  private func begin() -> Bool {
    stage.withLock { stage in
      guard stage == .idle else { return false }
      stage = .waiting
      return true
    }
  }

  private func report(_ future: FutureImage) {
    write(
      "FutureImage: \(future.key.isEmpty ? "an image" : future.key) is shown as a plain image, so its placeholder stays forever; bind it by "
        + "imageView.futureImage = photo, by cell.display(content) for a configuration, or by display(photo, for: .normal) for a button.")
  }
}

extension FutureImage {
  fileprivate var isBound: Bool { readersInUse.contains { $0.withLock(\.isBound) } }
}
#endif
