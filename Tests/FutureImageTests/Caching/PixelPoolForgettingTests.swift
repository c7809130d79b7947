import Foundation
import Testing

@testable import FutureImage

/// The pixels that the pool removes. The pool returns them and their transforms as ``PixelPool/Evicted``, because they may own objects of
/// the app, which must be released when the caller holds no lock.
@Suite(.timeLimit(.minutes(5))) struct PixelPoolForgettingTests {
  private typealias Variant = PixelPool.Variant

  /// An object of the app that a transform retains.
  private final class Thing: Sendable {}

  /// Returns a decoded image of 10 × 10 pixels, which take 400 bytes.
  private func picture() throws -> UIImage {
    let pixels = try #require(SampleImage.image(10, 10).cgImage)
    let key = PixelPool.Key(variant: variant("any"), step: .full)
    return try UIImage.decoded(pixels, for: key, by: key.variant.plan(for: FutureImage.PixelSize(width: 64, height: 64)))
  }

  private func variant(_ source: String, _ width: CGFloat? = nil, generation: UInt32 = 0, retaining thing: Thing? = nil) -> Variant {
    let transform = thing.map { thing in
      FutureImage.Transform.custom("one") { pixels in withExtendedLifetime(thing) { pixels } }
    }
    return Variant(
      source: SourceKey(source), size: width.map { CGSize(width: $0, height: 100) }, transform: transform, generation: generation)
  }

  @Test func `each eviction because of the limit is counted, and the replacement of an image is not counted`() throws {
    let pool = PixelPool(limit: 1_200)
    for number in 0..<20 { pool.insert(try picture(), variant("\(number)")) }
    #expect(pool.evictionCount == 17)
    for _ in 0..<5 { pool.insert(try picture(), variant("19")) }
    #expect(pool.evictionCount == 17)
  }

  @Test func `removing the images of earlier generations removes neither the given generation nor later generations`() throws {
    let pool = PixelPool(limit: 10_000)
    let images = try (0..<3).map { _ in try picture() }
    for (generation, image) in images.enumerated() { pool.insert(image, variant("a", generation: UInt32(generation))) }
    _ = pool.take(source: "a", before: 1)
    #expect(pool.byteCount == 800)
    #expect(pool.find(variant("a", generation: 0)).image == nil)
    #expect(pool.find(variant("a", generation: 1)).image === images[1])
    #expect(pool.find(variant("a", generation: 2)).image === images[2])
  }

  @Test func `the pool removes its records of sources whose images are no longer on screen`() throws {
    let pool = PixelPool(limit: 400)
    var screen: [UIImage] = []
    for number in 0..<50 {
      let image = try picture()
      pool.insert(image, variant("screen \(number)"))
      screen.append(image)
    }
    #expect(pool.sourceCount == 50)
    screen = []
    for number in 0..<200 { pool.insert(try picture(), variant("\(number)")) }
    #expect(pool.sourceCount < 10)
  }

  @Test func `an image that is inserted repeatedly does not delay the removal of the records of other sources`() throws {
    let pool = PixelPool(limit: 400)
    let screen = try picture()
    for _ in 0..<1_000 { pool.insert(screen, variant("screen")) }
    for number in 0..<200 { pool.insert(try picture(), variant("\(number)")) }
    #expect(pool.sourceCount < 10)
    #expect(pool.find(variant("screen")).image === screen)
  }

  @Test func `the images that an insertion examines are retained until the caller releases the value that insert returns`() throws {
    let pool = PixelPool(limit: 8_000)
    var image: UIImage? = try picture()
    pool.insert(try #require(image), variant("a"))
    pool.evictAll()
    weak let weakReference = image
    var evicted: PixelPool.Evicted? = pool.insert(try picture(), variant("a", 100))
    image = nil
    #expect(evicted != nil)
    #expect(weakReference != nil)
    evicted = nil
    #expect(weakReference == nil)
  }

  /// The reason for which the pool removes an image: another decode replaces it, nothing retains it anymore, or its source is removed.
  enum Forgetting: CaseIterable, Sendable { case replaced, released, removed }

  @Test(arguments: Forgetting.allCases)
  func `the transform of a removed image is retained until the caller releases the value that the pool returns`(forgetting: Forgetting)
    throws
  {
    let pool = PixelPool(limit: 8_000)
    weak var weakReference: Thing?
    do {
      let thing = Thing()
      weakReference = thing
      pool.insert(try picture(), variant("a", retaining: thing))
    }
    pool.evictAll()
    #expect(weakReference != nil)
    var evicted: PixelPool.Evicted?
    switch forgetting {
    case .replaced: evicted = pool.insert(try picture(), variant("a", retaining: Thing()))
    case .released: evicted = pool.insert(try picture(), variant("a", 100))
    case .removed: evicted = pool.take(source: "a")
    }
    #expect(evicted != nil)
    #expect(weakReference != nil)
    evicted = nil
    #expect(weakReference == nil)
  }
}
