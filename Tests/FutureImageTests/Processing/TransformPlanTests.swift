import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct TransformPlanTests {
  typealias Transform = FutureImage.Transform
  typealias PixelSize = FutureImage.PixelSize

  let fixture = LoaderFixture()

  func plan(_ transform: Transform?, _ width: Int, _ height: Int, points: CGSize? = nil) -> Transform.Plan {
    Transform.Plan(transform, fullSize: PixelSize(width: width, height: height), points: points)
  }

  @Test func `without a transform, the decoded size is the size of the image multiplied by the fraction of the decode step`() {
    let plan = plan(nil, 1200, 900, points: CGSize(width: 400, height: 300))
    #expect(plan.whole == PixelSize(width: 1200, height: 900))
    #expect(plan.points == [400, 300])
    #expect(plan.decoded(at: DecodeStep(fraction: 0.3)) == PixelSize(width: 450, height: 338))
  }

  @Test(arguments: [FutureImage.Fitting.fit(width: 300, height: 300), .fill(width: 300, height: 300)])
  func `the decode for a circle has enough pixels for the view, although the sides of the image are cut off`(fitting: FutureImage.Fitting) {
    let plan = plan(.circle, 1200, 900)
    #expect(plan.whole == PixelSize(width: 900, height: 900))
    let step = DecodeStep(showing: plan.whole, fitting)
    #expect(plan.decoded(at: step) == PixelSize(width: 450, height: 338))
  }

  @Test func `the decode for a stretch has enough pixels for the side that the stretch reduces less`() {
    let plan = plan(.resize(toPixels: PixelSize(width: 500, height: 100), .stretch), 1000, 1000)
    #expect(plan.whole == PixelSize(width: 500, height: 100))
    #expect(plan.decoded(at: .full) == PixelSize(width: 500, height: 500))
  }

  @Test func `a circle does not change a size that has no area or an infinite side`() {
    for size in [CGSize.zero, CGSize(width: 0, height: 5), CGSize(width: 5, height: CGFloat.infinity)] {
      #expect(Transform.circle.size(of: size) == size)
    }
  }

  @Test func `an invalid size in points is replaced by the size in pixels`() {
    for points in [CGSize(width: 0, height: 0), CGSize(width: -1, height: 5), CGSize(width: CGFloat.nan, height: CGFloat.infinity)] {
      #expect(plan(.circle, 40, 30, points: points).points == [30, 30])
    }
  }

  @Test func `a circular photo has enough pixels for a square view, and keeps the size that was known before loading`() async throws {
    let future = FutureImage(
      .url(LoaderFixture.url()), size: CGSize(width: 400, height: 300), transform: .circle, loader: fixture.loader)
    #expect(future.size == CGSize(width: 300, height: 300))
    await fixture.serve("a", SampleImage.jpeg(1200, 900))
    for edge in [100, 300, 310, 900] {
      let image = try await future.value(fitting: .square(edge))
      #expect(try #require(image.cgImage).width >= edge)
      #expect(image.size == CGSize(width: 300, height: 300))
    }
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `after a custom step has changed the shape of an image, the size in points matches the new shape`() async throws {
    let half = Transform.customPixels("left half") { $0.cropped(x: 0, y: 0, width: $0.width / 2, height: $0.height) }
    let future = FutureImage(.url(LoaderFixture.url()), transform: half.then(.circle), loader: fixture.loader)
    await fixture.serve("a", SampleImage.jpeg(1200, 900))
    let image = try await future.value
    #expect(image.size == CGSize(width: 600, height: 600))
  }
}

#if canImport(UIKit) || canImport(UIKitStandIn)
extension TransformPlanTests {
  @MainActor @Test func `a view of a circular photo gets as many pixels as it needs, but fewer than twice as many`() async throws {
    let future = FutureImage(.url(LoaderFixture.url()), transform: .circle, loader: fixture.loader)
    let view = imageView(120, 120)
    view.futureImage = future
    await fixture.serve("a", SampleImage.jpeg(1200, 900))
    let image = try #require(view.image)
    // The view has all the pixels that it needs, so it is no longer bound to the future.
    #expect(view.futureImage == nil)
    let pixels = try #require(image.cgImage)
    // The decode step of an eighth would be enough for the untransformed image, but it is too small for the circle.
    let needed = 120 * Int(max(1, view.traitCollection.displayScale))
    #expect((needed..<2 * needed).contains(pixels.width))
    #expect(image.size == CGSize(width: 900, height: 900))
  }
}
#endif
