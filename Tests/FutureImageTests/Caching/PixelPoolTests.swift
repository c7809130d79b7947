import Foundation
import Testing

@testable import FutureImage

@Suite("PixelPool", .timeLimit(.minutes(5))) struct PixelPoolTests {
  typealias Variant = PixelPool.Variant

  /// Returns the smallest decode step that has at least this many 64ths of each side.
  private func step(_ parts: Int) -> DecodeStep {
    DecodeStep(showing: FutureImage.PixelSize(width: 6_400, height: 6_400), .fit(width: parts * 100, height: parts * 100))
  }

  /// Returns a decoded image, by default of 10 × 10 pixels, which take 400 bytes.
  private func picture(_ edge: Int = 10, _ step: DecodeStep = .full) throws -> UIImage {
    let pixels = try #require(SampleImage.image(edge, edge).cgImage)
    let key = PixelPool.Key(variant: variant("any"), step: step)
    return try UIImage.decoded(pixels, for: key, by: key.variant.plan(for: FutureImage.PixelSize(width: 64, height: 64)))
  }

  private func variant(_ source: String, _ width: CGFloat? = nil, generation: UInt32 = 0) -> Variant {
    Variant(source: SourceKey(source), size: width.map { CGSize(width: $0, height: 100) }, generation: generation)
  }

  // MARK: The limit

  @Test func `an inserted image is found, and its bytes are counted`() throws {
    let pool = PixelPool(limit: 1_000)
    pool.insert(try picture(), variant("a"))
    #expect(pool.find(variant("a"), atLeast: .full).image?.byteCount == 400)
    #expect(pool.byteCount == 400)
    #expect(pool.find(variant("b"), atLeast: .full).image == nil)
    #expect(pool.find(variant("b")).image == nil)
  }

  @Test func `the pool fills up to its limit and never exceeds it`() throws {
    let pool = PixelPool(limit: 1_200)
    for number in 0..<20 {
      pool.insert(try picture(), variant("\(number)"))
      #expect(pool.byteCount == min(1_200, 400 * (number + 1)))
    }
    #expect((0..<20).filter { pool.find(variant("\($0)"), atLeast: .full).image != nil } == [17, 18, 19])
  }

  @Test func `the images that a search examines are retained until the caller releases the result of the search`() throws {
    let pool = PixelPool(limit: 8_000)
    var small: UIImage? = try picture(10, step(32))
    let large = try picture(20)
    pool.insert(try #require(small), variant("a"))
    pool.insert(large, variant("a"))
    pool.evictAll()
    weak let weakReference = small
    var found: (image: UIImage?, evicted: PixelPool.Evicted)? = pool.find(variant("a"), atLeast: .full)
    #expect(found?.image === large)
    small = nil
    #expect(weakReference != nil)
    found = nil
    #expect(weakReference == nil)
  }

  @Test func `the least recently shown image is evicted first, even if another image is older`() throws {
    let pool = PixelPool(limit: 1_000)
    pool.insert(try picture(), variant("a"))
    pool.insert(try picture(), variant("b"))
    #expect(pool.find(variant("a"), atLeast: .full).image != nil)
    pool.insert(try picture(), variant("c"))
    #expect(pool.find(variant("b"), atLeast: .full).image == nil)
    #expect(pool.find(variant("a")).image != nil)
    pool.insert(try picture(), variant("d"))
    #expect(pool.find(variant("c"), atLeast: .full).image == nil)
    #expect(pool.find(variant("a"), atLeast: .full).image != nil)
  }

  @Test func `an image larger than the limit evicts no other image, and is found while it is on screen`() throws {
    let pool = PixelPool(limit: 1_000)
    pool.insert(try picture(), variant("small"))
    var screen: UIImage? = try picture(20)
    if let screen { pool.insert(screen, variant("large")) }
    #expect(pool.byteCount == 400)
    #expect(screen != nil)
    #expect(pool.find(variant("large"), atLeast: .full).image === screen)
    #expect(pool.find(variant("small"), atLeast: .full).image != nil)
    screen = nil
    #expect(pool.find(variant("large"), atLeast: .full).image == nil)
  }

  @Test func `a second decode of an image replaces the first decode, and only the second decode is counted`() throws {
    let pool = PixelPool(limit: 1_000)
    let old = try picture()
    let new = try picture()
    pool.insert(old, variant("a"))
    pool.insert(new, variant("a"))
    #expect(pool.byteCount == 400)
    #expect(pool.find(variant("a"), atLeast: .full).image === new)
    withExtendedLifetime(old) {}
  }

  @Test func `the pool removes its records of sources whose images were evicted`() throws {
    let pool = PixelPool(limit: 1_200)
    for number in 0..<1_000 { pool.insert(try picture(), variant("\(number)")) }
    #expect(pool.sourceCount < 10)
  }

  // MARK: On a screen

  @Test func `an evicted image is found while it is on screen, and then counts toward the limit again`() throws {
    let pool = PixelPool(limit: 400)
    let screen = try picture()
    pool.insert(screen, variant("a"))
    pool.insert(try picture(), variant("b"))
    #expect(pool.byteCount == 400)
    #expect(pool.find(variant("a"), atLeast: .full).image === screen)
    #expect(pool.byteCount == 400)
    // The image on screen is in the pool again, and has evicted the other image.
    #expect(pool.find(variant("b"), atLeast: .full).image == nil)
  }

  @Test func `an evicted image that was found again stays in the pool after it leaves the screen`() throws {
    let pool = PixelPool(limit: 400)
    var screen: UIImage? = try picture()
    if let screen { pool.insert(screen, variant("a")) }
    pool.evictAll()
    #expect(pool.byteCount == 0)
    #expect(pool.find(variant("a"), atLeast: .full).image === screen)
    #expect(pool.byteCount == 400)
    screen = nil
    #expect(pool.find(variant("a"), atLeast: .full).image != nil)
  }

  @Test func `after unshown images are removed, an image on screen is still found`() throws {
    let pool = PixelPool(limit: 10_000)
    let screen = try picture()
    pool.insert(screen, variant("a"))
    pool.insert(try picture(), variant("b"))
    pool.evictAll()
    #expect(pool.byteCount == 0)
    #expect(pool.find(variant("b"), atLeast: .full).image == nil)
    #expect(pool.find(variant("a"), atLeast: .full).image === screen)
  }

  @Test func `an image on screen is still found after thousands of other images were inserted and evicted`() throws {
    let pool = PixelPool(limit: 400)
    let screen = try picture()
    pool.insert(screen, variant("screen"))
    for number in 0..<2_000 { pool.insert(try picture(1), variant("\(number)")) }
    #expect(pool.byteCount == 400)
    #expect(pool.find(variant("1999"), atLeast: .full).image != nil)
    #expect(pool.find(variant("screen"), atLeast: .full).image === screen)
  }

  // MARK: Sizes

  @Test func `the pool returns the smallest decode that is large enough, or the largest on request`() throws {
    let pool = PixelPool(limit: 10_000)
    let (small, middle, large) = (try picture(2, step(8)), try picture(4, step(16)), try picture(8, step(32)))
    for image in [middle, large, small] { pool.insert(image, variant("a")) }
    #expect(pool.find(variant("a"), atLeast: step(1)).image === small)
    #expect(pool.find(variant("a"), atLeast: step(8)).image === small)
    #expect(pool.find(variant("a"), atLeast: step(16)).image === middle)
    #expect(pool.find(variant("a"), atLeast: step(24)).image === large)
    #expect(pool.find(variant("a"), atLeast: step(40)).image == nil)
    #expect(pool.find(variant("a")).image === large)
    #expect(pool.byteCount == 4 * (4 + 16 + 64))
  }

  @Test func `a decode for one size in points is not found for another size`() throws {
    let pool = PixelPool(limit: 10_000)
    let (plain, wide) = (try picture(), try picture())
    pool.insert(plain, variant("a"))
    pool.insert(wide, variant("a", 100))
    #expect(pool.find(variant("a"), atLeast: .full).image === plain)
    #expect(pool.find(variant("a", 100), atLeast: .full).image === wide)
    #expect(pool.find(variant("a", 50), atLeast: .full).image == nil)
    #expect(pool.find(variant("a", 50)).image == nil)
    #expect(pool.byteCount == 800)
  }

  @Test func `a decode of one generation is not found for the next generation`() throws {
    let pool = PixelPool(limit: 10_000)
    let (old, new) = (try picture(), try picture())
    pool.insert(old, variant("a"))
    #expect(pool.find(variant("a", generation: 1), atLeast: step(1)).image == nil)
    pool.insert(new, variant("a", generation: 1))
    #expect(pool.find(variant("a", generation: 1), atLeast: .full).image === new)
    #expect(pool.find(variant("a")).image === old)
  }

  // MARK: Removing

  @Test func `removing a source removes all decodes of the source, even decodes on screen, but no decodes of other sources`() throws {
    let pool = PixelPool(limit: 10_000)
    let screen = try picture()
    pool.insert(screen, variant("a"))
    pool.insert(try picture(5, step(8)), variant("a"))
    pool.insert(try picture(), variant("a", 100))
    pool.insert(try picture(), variant("a", generation: 7))
    pool.insert(try picture(), variant("b"))
    _ = pool.take(source: "a")
    _ = pool.take(source: "unknown")
    #expect(pool.byteCount == 400)
    #expect(pool.find(variant("a"), atLeast: step(1)).image == nil)
    #expect(pool.find(variant("a", 100)).image == nil)
    #expect(pool.find(variant("a", generation: 7)).image == nil)
    #expect(pool.find(variant("b"), atLeast: .full).image != nil)
    withExtendedLifetime(screen) {}
  }

  @Test func `the pool does not retain an evicted image`() throws {
    let pool = PixelPool(limit: 400)
    weak var weakReference: UIImage?
    do {
      let image = try picture()
      weakReference = image
      pool.insert(image, variant("a"))
    }
    #expect(weakReference != nil)
    pool.insert(try picture(), variant("b"))
    #expect(weakReference == nil)
  }
}

#if canImport(UIKit) || canImport(UIKitStandIn)
extension PixelPoolTests {
  @Test func `in the background, the pool retains only the most recently shown images, up to an eighth of its limit`() throws {
    let (pool, center) = (PixelPool(limit: 8_000), NotificationCenter())
    let warnings = MemoryWarnings(from: center, emptying: pool)
    for number in 0..<20 { pool.insert(try picture(), variant("\(number)")) }
    center.post(name: UIApplication.didEnterBackgroundNotification, object: nil)
    #expect(pool.byteCount == 800)
    #expect(pool.find(variant("19")).image != nil)
    #expect(pool.find(variant("17")).image == nil)
    withExtendedLifetime(warnings) {}
  }

  @Test func `images on screen are found after a memory warning, and a second warning changes nothing`() throws {
    let (pool, center) = (PixelPool(limit: 8_000), NotificationCenter())
    let warnings = MemoryWarnings(from: center, emptying: pool)
    let shown = try picture()
    pool.insert(shown, variant("shown"))
    pool.insert(try picture(), variant("other"))
    for _ in 0..<2 {
      center.post(name: UIApplication.didReceiveMemoryWarningNotification, object: nil)
      #expect(pool.byteCount == 0)
    }
    #expect(pool.evictionCount == 0)
    #expect(pool.find(variant("shown")).image === shown)
    #expect(pool.find(variant("other")).image == nil)
    withExtendedLifetime(warnings) {}
  }
}
#endif
