import FutureImage

/// The time to show a feed in views while its pixels are in memory. In one row, the models still have their futures. In the other row, new
/// futures are created for the same images.
extension Benchmark {
  static let warmMemory = Benchmark(name: "warm memory") {
    let loader = FutureImage.Loader.idle()
    let count = 300
    let models = try await Samples.ready(count, in: loader)
    let gallery = ImageViews(count, side: 200)
    let rebinding = try await roundsWithYardstick(25) {
      // Every view shows a different image than before, as in a scrolled list.
      let shifted = Array(models[1...] + models[..<1])
      gallery.show(shifted)
      return threadTime { gallery.show(models) } / Double(count)
    }
    let naive = NaiveModels(models)
    let plainImages = try await rounds(25) {
      gallery.views.forEach { $0.image = nil }
      return threadTime { naive.show(in: gallery.views) } / Double(count)
    }
    let newModels = try await rounds(25) {
      gallery.views.forEach { $0.image = nil }
      // The loader finds the pixels of these keys in its pool, so it does not call the closures.
      return threadTime {
        gallery.show((0..<count).map { FutureImage(.data(key: "sample \($0)") { Data() }, loader: loader) })
      } / Double(count)
    }
    return [
      Row("warm memory, a view", relativeToYardstick: rebinding, limit: 2, unit: "µs", scale: 1e6, reference: plainImages),
      Row("warm memory, model anew and a view", newModels, limit: nil, unit: "µs", scale: 1e6)
    ]
  }
}

/// Models that have only an image. Showing such an image is the least work that a view can have.
@MainActor private final class NaiveModels {
  private let images: [UIImage]

  init(_ futures: [FutureImage]) {
    images = futures.compactMap(\.image)
  }

  func show(in views: [ImageViews.Frame]) {
    for (view, image) in zip(views, images) { view.image = image }
  }
}
