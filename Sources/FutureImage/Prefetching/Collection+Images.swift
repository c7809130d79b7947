extension Collection where Element == FutureImage, Self: Sendable {
  /// All the pictures, in this order. They load together.
  ///
  /// - Parameter fitting: a box in pixels that each is to fill with as many as it has; it may have more.
  /// - Throws: the first failure; the rest is no longer waited for, and comes all the same. `.cancelled` if the task is.
  public func images(fitting: FutureImage.Fitting = .full) async throws(FutureImage.Failure) -> [UIImage] {
    var images: [Int: UIImage] = [:]
    for await (index, result) in results(fitting: fitting) { images[index] = try result.get() }
    // A stream that ends early is one whose task was cancelled.
    guard images.count == count else { throw FutureImage.Failure(.cancelled) }
    return images.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Each picture or failure as it comes, with its offset in the collection. Ends after the last. A task that stops listening, or is
  /// cancelled, stops waiting for the rest, which cancels nothing else.
  public func results(fitting: FutureImage.Fitting = .full) -> AsyncStream<(offset: Int, result: Result<UIImage, FutureImage.Failure>)> {
    AsyncStream { continuation in
      let waiting = Scheduling.task("many pictures", priority: Task.currentPriority) {
        await withTaskGroup(of: Void.self) { group in
          for (offset, future) in enumerated() {
            group.addTask {
              do throws(FutureImage.Failure) {
                continuation.yield((offset, .success(try await future.value(fitting: fitting))))
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

  /// One progress for all, each picture with the same weight; whole when each is here or has failed. Cancelling it cancels every future.
  public var progress: Progress {
    let progress = Progress(parent: nil, userInfo: nil)
    progress.totalUnitCount = Int64(Swift.max(count, 1))
    // Without pictures there is nothing to wait for; a total of 0 would never be finished.
    if isEmpty { progress.completedUnitCount = 1 }
    for future in self { progress.addChild(future.progressPart(), withPendingUnitCount: 1) }
    return progress
  }
}
