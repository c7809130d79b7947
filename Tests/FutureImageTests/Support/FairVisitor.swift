import Foundation
import FutureImageTesting

@testable import FutureImage

/// Somebody at the fair who does one thing after the other, always the same for the same seed.
struct FairVisitor {
  private let fair: Fair
  private var random: SeededGenerator

  init(_ fair: Fair, seed: UInt64) {
    self.fair = fair
    random = SeededGenerator(seed: seed)
  }

  /// Something that any thread may do.
  mutating func act() {
    switch Int.random(in: 0..<28, using: &random) {
    case 0..<4: fair.put(fair.make(&random), Int.random(in: 0..<24, using: &random))
    case 4, 5: fair.put(nil as FutureImage?, Int.random(in: 0..<24, using: &random))
    case 6, 7: fair.pick(&random).cancel()
    case 8, 9: fair.pick(&random).reload()
    case 10, 11: wait()
    case 12, 13: awaitValue()
    case 14: awaitImages()
    case 15, 16: whenReady()
    case 17: listen()
    case 18: _ = fair.pick(&random).image
    case 19: _ = fair.pick(&random).phase
    case 20: _ = fair.pick(&random).progress.fractionCompleted
    case 21: Together.cancel(fair.pick(&random).progress)
    case 22: fair.loader.emptyPixelPool()
    case 23: fair.warnOfMemory()
    case 24, 25: prefetch()
    case 26: fair.shake(&random)
    default: fair.shop.clock.advance(by: .seconds(Int.random(in: 0..<20, using: &random)))
    }
  }

  /// Something with a view.
  @MainActor mutating func show(_ views: [UIImageView]) {
    guard let view = views.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<6: view.futureImage = fair.pick(&random)
    case 6: view.futureImage = fair.make(&random)
    case 7: view.futureImage = view.futureImage
    case 8: view.image = nil
    default: view.display(views.randomElement(using: &random)?.image)
    }
  }

  private mutating func fitting() -> FutureImage.Fitting {
    [.full, .square(8), .square(16), .square(40), .square(64)].randomElement(using: &random) ?? .full
  }

  /// What is to be done with the answer.
  private func teller(_ future: FutureImage) -> @Sendable (Result<UIImage, FutureImage.Failure>) -> Void {
    let (told, number, name) = (fair.told, fair.told.add(), fair.name(of: future))
    return { result in
      switch result {
      case .success(let image): told.tell(number, fault: Fair.isRight(image, name) ? nil : "\(name): \(String(describing: image.colour))")
      case .failure: told.tell(number)
      }
    }
  }

  private mutating func wait() {
    let future = fair.pick(&random)
    future.wait(fitting(), tell: teller(future))
  }

  /// What is done in the callback comes in the middle of an update of views.
  private mutating func whenReady() {
    let future = fair.pick(&random)
    let (tell, choice) = (teller(future), Int.random(in: 0..<6, using: &random))
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
    let future = fair.pick(&random)
    let (tell, fitting) = (teller(future), fitting())
    let task = Together.task {
      do throws(FutureImage.Failure) {
        tell(.success(try await future.value(fitting: fitting)))
      } catch {
        tell(.failure(error))
      }
    }
    fair.add(task)
    if Int.random(in: 0..<3, using: &random) == 0 { task.cancel() }
  }

  private mutating func awaitImages() {
    let futures = [fair.pick(&random), fair.pick(&random), fair.pick(&random)]
    let (told, number, fitting) = (fair.told, fair.told.add(), fitting())
    let names = futures.map { fair.name(of: $0) }
    let task = Together.task {
      let images = (try? await futures.images(fitting: fitting)) ?? []
      let isRight = zip(images, names).allSatisfy { Fair.isRight($0, $1) }
      told.tell(number, fault: isRight ? nil : "\(names): \(images.map(\.colour))")
    }
    fair.add(task)
    if Int.random(in: 0..<3, using: &random) == 0 { task.cancel() }
  }

  /// Iterates over phases until the last one, or until the task is cancelled.
  private mutating func listen() {
    let (future, told, number) = (fair.pick(&random), fair.told, fair.told.add())
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
    let futures = [fair.pick(&random), fair.pick(&random)]
    let prefetch = FutureImage.Prefetch(futures, fitting: Bool.random(using: &random) ? fitting() : nil)
    fair.put(prefetch, Int.random(in: 0..<4, using: &random))
  }
}
