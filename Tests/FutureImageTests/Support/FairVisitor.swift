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
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<4: fair.put(fair.make(&random), Int.random(in: 0..<24, using: &random))
    case 4: fair.put(nil as FutureImage?, Int.random(in: 0..<24, using: &random))
    case 5, 6: fair.pick(&random).cancel()
    case 7, 8: fair.pick(&random).reload()
    case 9, 10: wait()
    case 11, 12: awaitValue()
    case 13: whenReady()
    case 14: _ = fair.pick(&random).image
    case 15: _ = fair.pick(&random).phase
    case 16: _ = fair.pick(&random).progress.fractionCompleted
    case 17: fair.loader.emptyPixelPool()
    case 18: prefetch()
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
      case .success(let image): told.tell(number, isRight: Fair.isRight(image, name))
      case .failure: told.tell(number, isRight: true)
      }
    }
  }

  private mutating func wait() {
    let future = fair.pick(&random)
    future.wait(fitting(), tell: teller(future))
  }

  private mutating func whenReady() {
    let future = fair.pick(&random)
    let tell = teller(future)
    future.whenReady(fitting: fitting()) { tell($0) }
  }

  private mutating func awaitValue() {
    let future = fair.pick(&random)
    let (tell, fitting) = (teller(future), fitting())
    let task = Task.detached {
      do throws(FutureImage.Failure) {
        tell(.success(try await future.value(fitting: fitting)))
      } catch {
        tell(.failure(error))
      }
    }
    fair.add(task)
    if Int.random(in: 0..<3, using: &random) == 0 { task.cancel() }
  }

  private mutating func prefetch() {
    let futures = [fair.pick(&random), fair.pick(&random)]
    let prefetch = FutureImage.Prefetch(futures, fitting: Bool.random(using: &random) ? fitting() : nil)
    fair.put(prefetch, Int.random(in: 0..<4, using: &random))
  }
}
