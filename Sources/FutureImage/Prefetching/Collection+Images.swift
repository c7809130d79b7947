extension Collection where Element == FutureImage, Self: Sendable {
  /// Returns all the images, in the order of the collection. The images load at the same time.
  ///
  /// - Parameter fitting: a box in pixels. Each image fills the box as far as its pixels suffice, and may have more pixels than the box.
  /// - Throws: the first failure. The other images are then no longer awaited, but still load. If the task is canceled, throws
  ///   `.cancelled`.
  public func images(fitting: FutureImage.Fitting = .full) async throws(FutureImage.Failure) -> [BaseImage] {
    var images: [Int: BaseImage] = [:]
    for await (index, result) in results(fitting: fitting) { images[index] = try result.get() }
    // A stream ends early only if its task was canceled.
    guard images.count == count else { throw FutureImage.Failure(.cancelled) }
    return images.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Returns a stream of all images and failures. Each result arrives with its offset in the collection as soon as it is known. The stream
  /// ends after the last result. A task that stops iterating, or is canceled, no longer waits for the remaining images. This cancels
  /// nothing else.
  /// - Parameters:
  ///   - fitting: a box in pixels. Each image fills the box as far as its pixels suffice, and may have more pixels than the box.
  ///   - confirmed: whether a stale image is returned only after its source has confirmed or replaced it, as
  ///     ``FutureImage/FutureImage/value(fitting:confirmed:)`` does.
  public func results(
    fitting: FutureImage.Fitting = .full, confirmed: Bool = false
  ) -> AsyncStream<(offset: Int, result: Result<BaseImage, FutureImage.Failure>)> {
    AsyncStream { continuation in
      let waiting = Scheduling.task("many images", priority: Task.currentPriority) {
        await withTaskGroup(of: Void.self) { group in
          for (offset, future) in enumerated() {
            group.addTask {
              do throws(FutureImage.Failure) {
                let image = try await future.value(fitting: fitting, confirmed: confirmed)
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

  /// The progress of all images together, in which each image has the same weight. It is finished when each image has loaded or failed.
  /// Canceling it cancels every future.
  public var progress: Progress {
    let progress = Progress(parent: nil, userInfo: nil)
    progress.totalUnitCount = Int64(Swift.max(count, 1))
    // An empty collection has nothing to wait for, but a progress with a total of 0 would never finish.
    if isEmpty { progress.completedUnitCount = 1 }
    for future in self { progress.addChild(future.progressPart(), withPendingUnitCount: 1) }
    return progress
  }
}
