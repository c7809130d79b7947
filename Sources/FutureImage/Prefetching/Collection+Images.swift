extension Collection where Element == FutureImage, Self: Sendable {
  /// Returns all the images, in this order. They load at the same time.
  ///
  /// - Parameter fitting: a box in pixels, which each image fills as far as its pixels suffice; it may have more.
  /// - Throws: the first failure; the other images are no longer awaited, and still load. `.cancelled` if the task is canceled.
  public func images(fitting: FutureImage.Fitting = .full) async throws(FutureImage.Failure) -> [UIImage] {
    var images: [Int: UIImage] = [:]
    for await (index, result) in results(fitting: fitting) { images[index] = try result.get() }
    // A stream ends early only if its task was canceled.
    guard images.count == count else { throw FutureImage.Failure(.cancelled) }
    return images.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Returns each image or failure as it arrives, with its offset in the collection. The stream ends after the last. A task that stops
  /// iterating, or is canceled, no longer waits for the rest, which cancels nothing else.
  /// - Parameters:
  ///   - fitting: a box in pixels, which each image fills as far as its pixels suffice; it may have more.
  ///   - confirmed: whether a stale image is returned only once its source has confirmed or replaced it, as by
  ///     ``FutureImage/FutureImage/confirmedValue(fitting:)``.
  public func results(
    fitting: FutureImage.Fitting = .full, confirmed: Bool = false
  ) -> AsyncStream<(offset: Int, result: Result<UIImage, FutureImage.Failure>)> {
    AsyncStream { continuation in
      let waiting = Scheduling.task("many pictures", priority: Task.currentPriority) {
        await withTaskGroup(of: Void.self) { group in
          for (offset, future) in enumerated() {
            group.addTask {
              do throws(FutureImage.Failure) {
                let image = try await confirmed ? future.confirmedValue(fitting: fitting) : future.value(fitting: fitting)
                continuation.yield((offset, .success(image)))
              } catch {
                continuation.yield((offset, .failure(error)))
              }
            }
          }
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in waiting.cancel() }
    }
  }

  /// One progress for all, each image with the same weight; finished when each has loaded or failed. Canceling it cancels every future.
  public var progress: Progress {
    let progress = Progress(parent: nil, userInfo: nil)
    progress.totalUnitCount = Int64(Swift.max(count, 1))
    // An empty collection has nothing to wait for; a total of 0 would never finish.
    if isEmpty { progress.completedUnitCount = 1 }
    for future in self { progress.addChild(future.progressPart(), withPendingUnitCount: 1) }
    return progress
  }
}
