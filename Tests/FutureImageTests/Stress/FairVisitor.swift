import Foundation
import FutureImageTesting

@testable import FutureImage

/// A visitor of the fair that performs one action after the other. The same seed gives the same actions.
struct FairVisitor {
  private let fair: Fair
  private var random: SeededGenerator

  init(_ fair: Fair, seed: UInt64) {
    self.fair = fair
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
    Together.note(act.rawValue)
    switch act {
    case .make: fair.put(fair.make(&random), Int.random(in: 0..<Together.futures, using: &random))
    case .drop: fair.put(nil as FutureImage?, Int.random(in: 0..<Together.futures, using: &random))
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
    case .cancelProgress: Together.cancel(pick().progress)
    case .emptyPool: fair.loader.emptyPixelPool()
    case .warnOfMemory: fair.warnOfMemory()
    case .prefetch: prefetch()
    case .shakeDisk: fair.shake(&random)
    case .passTime: fair.pass(.seconds(Int.random(in: 0..<20, using: &random)))
    }
  }

  private mutating func pick() -> FutureImage {
    let future = fair.pick(&random)
    Together.note(fair.name(of: future))
    return future
  }

  /// Performs an action on a view.
  @MainActor mutating func show(_ views: [UIImageView]) {
    guard let view = views.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<5: fair.bindings.bind(view, to: pick())
    case 5..<8: fair.bindings.bind(view, to: pick(), look: Int.random(in: 0..<2, using: &random))
    case 8: fair.bindings.bind(view, to: fair.make(&random))
    case 9: fair.bindings.display(view.futureImage, in: view)
    case 10: fair.bindings.put(nil, in: view)
    default: fair.bindings.display(views.randomElement(using: &random)?.image, in: view)
    }
  }

  private mutating func fitting() -> FutureImage.Fitting {
    [.full, .square(8), .square(16), .square(40), .square(64)].randomElement(using: &random) ?? .full
  }

  /// Returns a closure that checks the result and records it.
  private func teller(_ future: FutureImage, _ number: Int) -> @Sendable (Result<UIImage, FutureImage.Failure>) -> Void {
    let (told, name) = (fair.told, fair.name(of: future))
    return { result in
      assertNoLockIsHeld()
      switch result {
      case .success(let image): told.tell(number, fault: Fair.isRight(image, name) ? nil : "\(name): \(String(describing: image.colour))")
      case .failure: told.tell(number)
      }
    }
  }

  private mutating func wait() {
    let future = pick()
    future.wait(fitting(), tell: teller(future, fair.told.add()))
  }

  /// The callback runs in the middle of an update of views, and so does what it does to the future.
  private mutating func whenReady() {
    let future = pick()
    let (tell, choice) = (teller(future, fair.told.add()), Int.random(in: 0..<6, using: &random))
    future.whenReady(fitting: fitting()) { result in
      tell(result)
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
    let number = fair.told.add()
    let (tell, fitting) = (teller(future, number), fitting())
    let task = Together.task {
      do throws(FutureImage.Failure) {
        tell(.success(try await future.value(fitting: fitting)))
      } catch {
        tell(.failure(error))
      }
    }
    add(task, number)
  }

  /// Adds the task. Some tasks are canceled at once.
  private mutating func add(_ task: Task<Void, Never>, _ number: Int) {
    fair.add(task)
    guard Int.random(in: 0..<3, using: &random) == 0 else { return }
    Together.note("give up")
    task.cancel()
    fair.told.giveUp(number)
  }

  private mutating func awaitReload() {
    let (future, told, number) = (pick(), fair.told, fair.told.add())
    let task = Together.task {
      _ = await [future].reload()
      told.tell(number)
    }
    add(task, number)
  }

  private mutating func awaitImages() {
    let futures = [pick(), pick(), pick()]
    let (told, number, fitting) = (fair.told, fair.told.add(), fitting())
    let names = futures.map { fair.name(of: $0) }
    let task = Together.task {
      let images = (try? await futures.images(fitting: fitting)) ?? []
      let isRight = zip(images, names).allSatisfy { Fair.isRight($0, $1) }
      told.tell(number, fault: isRight ? nil : "\(names): \(images.map(\.colour))")
    }
    add(task, number)
  }

  /// Iterates over phases until the last one, or until the task is canceled.
  private mutating func listen() {
    let (future, told, number) = (pick(), fair.told, fair.told.add())
    let fitting = Bool.random(using: &random) ? fitting() : nil
    fair.add(
      listener: Together.task {
        var phases: [FutureImage.Phase] = []
        for await phase in fitting.map({ future.phases(fitting: $0) }) ?? future.phases { phases.append(phase) }
        let isAtRest = phases.last.map { $0.isFinal || fitting == nil && $0.name == "fetched" } ?? false
        let isRight = (Task.isCancelled || isAtRest) && !phases.dropLast().contains(where: \.isFinal)
        told.tell(number, fault: isRight ? nil : "\(fitting, default: "no pixels"): \(phases)")
      })
  }

  private mutating func prefetch() {
    let futures = [pick(), pick()]
    let prefetch = FutureImage.Prefetch(futures, fitting: Bool.random(using: &random) ? fitting() : nil)
    fair.put(prefetch, Int.random(in: 0..<4, using: &random))
  }
}
