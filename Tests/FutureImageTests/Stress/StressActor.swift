import Foundation
import FutureImageTesting

@testable import FutureImage

/// An actor of the stress test that performs one action after the other. The same seed always leads to the same actions.
struct StressActor {
  private let stress: StressTest
  private var random: SeededGenerator

  init(_ stress: StressTest, seed: UInt64) {
    self.stress = stress
    random = SeededGenerator(seed: seed)
  }

  private enum Act: String {
    case make, drop, cancel, reload, awaitReload, wait, awaitValue, awaitImages, whenReady, listen
    case read, readPhase, readProgress, cancelProgress, emptyPool, warnOfMemory, prefetch, shakeDisk, passTime
  }

  /// The actions, each repeated in proportion to its frequency.
  private static let acts: [Act] = [
    .make, .make, .make, .make, .drop, .drop, .cancel, .cancel, .reload, .reload, .awaitReload, .wait, .wait, .awaitValue, .awaitValue,
    .awaitImages, .whenReady, .whenReady, .listen, .read, .readPhase, .readProgress, .cancelProgress, .emptyPool, .warnOfMemory,
    .prefetch, .prefetch, .shakeDisk, .passTime
  ]

  /// Performs an action that is allowed on any thread.
  mutating func act() {
    let act = Self.acts.randomElement(using: &random) ?? .make
    StressThreads.note(act.rawValue)
    switch act {
    case .make: stress.put(stress.make(&random), Int.random(in: 0..<StressThreads.futures, using: &random))
    case .drop: stress.put(nil as FutureImage?, Int.random(in: 0..<StressThreads.futures, using: &random))
    case .cancel: pick().cancel()
    case .reload: pick().reload()
    case .awaitReload: awaitReload()
    case .wait: wait()
    case .awaitValue: awaitValue()
    case .awaitImages: awaitImages()
    case .whenReady: whenReady()
    case .listen: listen()
    case .read: _ = pick().image
    case .readPhase: _ = pick().phase
    case .readProgress: _ = pick().progress.fractionCompleted
    case .cancelProgress: StressThreads.cancel(pick().progress)
    case .emptyPool: stress.loader.removeCachedPixels()
    case .warnOfMemory: stress.warnOfMemory()
    case .prefetch: prefetch()
    case .shakeDisk: stress.shake(&random)
    case .passTime: stress.pass(.seconds(Int.random(in: 0..<20, using: &random)))
    }
  }

  private mutating func pick() -> FutureImage {
    let future = stress.pick(&random)
    StressThreads.note(stress.name(of: future))
    return future
  }

  /// Performs an action on a view.
  @MainActor mutating func show(_ views: [UIImageView]) {
    guard let view = views.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<5: stress.bindings.bind(view, to: pick())
    case 5..<8: stress.bindings.bind(view, to: pick(), look: Int.random(in: 0..<2, using: &random))
    case 8: stress.bindings.bind(view, to: stress.make(&random))
    case 9: stress.bindings.display(view.futureImage, in: view)
    case 10: stress.bindings.put(nil, in: view)
    default: stress.bindings.display(views.randomElement(using: &random)?.image, in: view)
    }
  }

  private mutating func fitting() -> FutureImage.Fitting {
    [.full, .square(8), .square(16), .square(40), .square(64)].randomElement(using: &random) ?? .full
  }

  /// Returns a closure that checks the result and records it.
  private func resultRecorder(_ future: FutureImage, _ number: Int) -> @Sendable (Result<UIImage, FutureImage.Failure>) -> Void {
    let (waiters, name) = (stress.waiters, stress.name(of: future))
    return { result in
      assertNoLockIsHeld()
      switch result {
      case .success(let image):
        waiters.record(number, fault: StressTest.isRight(image, name) ? nil : "\(name): \(String(describing: image.color))")
      case .failure: waiters.record(number)
      }
    }
  }

  private mutating func wait() {
    let future = pick()
    future.wait(fitting(), deliver: resultRecorder(future, stress.waiters.add()))
  }

  /// Waits with a callback, which runs in the middle of an update of views. The callback may cancel, reload, or read the future there.
  private mutating func whenReady() {
    let future = pick()
    let (record, choice) = (resultRecorder(future, stress.waiters.add()), Int.random(in: 0..<6, using: &random))
    future.whenReady(fitting: fitting()) { result in
      record(result)
      switch choice {
      case 0: future.cancel()
      case 1: future.reload()
      case 2: _ = future.image
      default: break
      }
    }
  }

  private mutating func awaitValue() {
    let future = pick()
    let number = stress.waiters.add()
    let (record, fitting) = (resultRecorder(future, number), fitting())
    let task = StressThreads.task {
      do throws(FutureImage.Failure) {
        record(.success(try await future.value(fitting: fitting)))
      } catch {
        record(.failure(error))
      }
    }
    add(task, number)
  }

  /// Adds a task that waits for images or for a reload. Cancels a third of these tasks at once.
  private mutating func add(_ task: Task<Void, Never>, _ number: Int) {
    stress.add(task)
    guard Int.random(in: 0..<3, using: &random) == 0 else { return }
    StressThreads.note("cancel the task")
    task.cancel()
    stress.waiters.giveUp(number)
  }

  private mutating func awaitReload() {
    let (future, waiters, number) = (pick(), stress.waiters, stress.waiters.add())
    let task = StressThreads.task {
      _ = await [future].reload()
      waiters.record(number)
    }
    add(task, number)
  }

  private mutating func awaitImages() {
    let futures = [pick(), pick(), pick()]
    let (waiters, number, fitting) = (stress.waiters, stress.waiters.add(), fitting())
    let names = futures.map { stress.name(of: $0) }
    let task = StressThreads.task {
      let images = (try? await futures.images(fitting: fitting)) ?? []
      let isRight = zip(images, names).allSatisfy { StressTest.isRight($0, $1) }
      waiters.record(number, fault: isRight ? nil : "\(names): \(images.map(\.color))")
    }
    add(task, number)
  }

  /// Iterates over phases until the last one, or until the task is canceled.
  private mutating func listen() {
    let (future, waiters, number) = (pick(), stress.waiters, stress.waiters.add())
    let fitting = Bool.random(using: &random) ? fitting() : nil
    stress.add(
      listener: StressThreads.task {
        var phases: [FutureImage.Phase] = []
        for await phase in fitting.map({ future.phases(fitting: $0) }) ?? future.phases() { phases.append(phase) }
        let isAtRest = phases.last.map { $0.isFinal || fitting == nil && $0.name == "fetched" } ?? false
        let isRight = (Task.isCancelled || isAtRest) && !phases.dropLast().contains(where: \.isFinal)
        waiters.record(number, fault: isRight ? nil : "\(fitting, default: "no pixels"): \(phases)")
      })
  }

  private mutating func prefetch() {
    let futures = [pick(), pick()]
    let prefetch = FutureImage.Prefetch(futures, fitting: Bool.random(using: &random) ? fitting() : nil)
    stress.put(prefetch, Int.random(in: 0..<4, using: &random))
  }
}
