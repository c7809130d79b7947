import Foundation
import Testing

@testable import FutureImage

/// The pixels that the pool forgets, and those that its caller must release.
@Suite(.timeLimit(.minutes(5))) struct PixelPoolForgettingTests {
  private typealias Variant = PixelPool.Variant

  /// An app's object in a transform.
  private final class Thing: Sendable {}

  /// A decode of 10 × 10 pixels, which take 400 bytes.
  private func picture() throws -> UIImage {
    let pixels = try #require(SampleImage.image(10, 10).cgImage)
    let key = PixelPool.Key(variant: variant("any"), step: .full)
    return try UIImage.decoded(pixels, for: key, by: key.variant.plan(for: FutureImage.PixelSize(width: 64, height: 64)))
  }

  private func variant(_ source: String, _ width: CGFloat? = nil, revision: UInt32 = 0, retaining thing: Thing? = nil) -> Variant {
    let transform = thing.map { thing in
      FutureImage.Transform.custom("one") { pixels in withExtendedLifetime(thing) { pixels } }
    }
    return Variant(
      source: SourceKey(source), size: width.map { CGSize(width: $0, height: 100) }, transform: transform, revision: revision)
  }

  @Test func `each image that the limit evicts is counted, and one that another replaces is not`() throws {
    let pool = PixelPool(limit: 1_200)
    for number in 0..<20 { pool.insert(try picture(), variant("\(number)")) }
    #expect(pool.evictionCount == 17)
    for _ in 0..<5 { pool.insert(try picture(), variant("19")) }
    #expect(pool.evictionCount == 17)
  }

  @Test func `images of a generation and of later ones stay when earlier ones are removed`() throws {
    let pool = PixelPool(limit: 10_000)
    let images = try (0..<3).map { _ in try picture() }
    for (revision, image) in images.enumerated() { pool.insert(image, variant("a", revision: UInt32(revision))) }
    _ = pool.take(source: "a", before: 1)
    #expect(pool.byteCount == 800)
    #expect(pool.find(variant("a", revision: 0)).image == nil)
    #expect(pool.find(variant("a", revision: 1)).image === images[1])
    #expect(pool.find(variant("a", revision: 2)).image === images[2])
  }

  @Test func `sources whose images were on screen for a while are forgotten after that`() throws {
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

  @Test func `an image that is decoded again and again does not delay the forgetting of others`() throws {
    let pool = PixelPool(limit: 400)
    let screen = try picture()
    for _ in 0..<1_000 { pool.insert(screen, variant("screen")) }
    for number in 0..<200 { pool.insert(try picture(), variant("\(number)")) }
    #expect(pool.sourceCount < 10)
    #expect(pool.find(variant("screen")).image === screen)
  }

  @Test func `images examined by an insertion live until the caller releases the result`() throws {
    let pool = PixelPool(limit: 8_000)
    var image: UIImage? = try picture()
    pool.insert(try #require(image), variant("a"))
    pool.removeUnshown()
    weak let seen = image
    var evicted: PixelPool.Evicted? = pool.insert(try picture(), variant("a", 100))
    image = nil
    #expect(evicted != nil)
    #expect(seen != nil)
    evicted = nil
    #expect(seen == nil)
  }

  enum Forgetting: CaseIterable, Sendable { case replaced, dead, removed }

  @Test(arguments: Forgetting.allCases)
  func `a transform of a forgotten image lives until the caller releases the result`(forgetting: Forgetting) throws {
    let pool = PixelPool(limit: 8_000)
    weak var seen: Thing?
    do {
      let thing = Thing()
      seen = thing
      pool.insert(try picture(), variant("a", retaining: thing))
    }
    pool.removeUnshown()
    #expect(seen != nil)
    var evicted: PixelPool.Evicted?
    switch forgetting {
    case .replaced: evicted = pool.insert(try picture(), variant("a", retaining: Thing()))
    case .dead: evicted = pool.insert(try picture(), variant("a", 100))
    case .removed: evicted = pool.take(source: "a")
    }
    #expect(evicted != nil)
    #expect(seen != nil)
    evicted = nil
    #expect(seen == nil)
  }
}
