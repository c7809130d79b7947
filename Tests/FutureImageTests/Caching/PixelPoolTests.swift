import Foundation
import Testing

@testable import FutureImage

@Suite("PixelPool", .timeLimit(.minutes(5))) struct PixelPoolTests {
  typealias Variant = PixelPool.Variant

  /// A step of the ladder, by its parts of 64.
  private func step(_ parts: Int) -> Step {
    Step(showing: FutureImage.PixelSize(width: 6_400, height: 6_400), .fit(CGSize(width: parts * 100, height: parts * 100)))
  }

  /// A decode of 10 × 10 pixels, 400 bytes, if not told otherwise.
  private func picture(_ edge: Int = 10, _ step: Step = .full) throws -> UIImage {
    let pixels = try #require(Picture.image(edge, edge).cgImage)
    let key = PixelPool.Key(variant: variant("any"), step: step)
    return try UIImage.decoded(pixels, key, key.variant.plan(for: FutureImage.PixelSize(width: 64, height: 64)))
  }

  private func variant(_ source: String, _ width: CGFloat? = nil, revision: UInt32 = 0) -> Variant {
    Variant(source: SourceKey(source), size: width.map { CGSize(width: $0, height: 100) }, revision: revision)
  }

  // MARK: The limit

  @Test("A picture is found again, and its bytes are counted")
  func keeps() throws {
    let pool = PixelPool(limit: 1_000)
    pool.insert(try picture(), variant("a"))
    #expect(pool.image(variant("a"), atLeast: .full)?.byteCount == 400)
    #expect(pool.byteCount == 400)
    #expect(pool.image(variant("b"), atLeast: .full) == nil)
    #expect(pool.largest(variant("b")) == nil)
  }

  @Test("The pool never holds more bytes than its limit, and fills it")
  func limit() throws {
    let pool = PixelPool(limit: 1_200)
    for number in 0..<20 {
      pool.insert(try picture(), variant("\(number)"))
      #expect(pool.byteCount == min(1_200, 400 * (number + 1)))
    }
    #expect((0..<20).filter { pool.image(variant("\($0)"), atLeast: .full) != nil } == [17, 18, 19])
  }

  @Test func `what was looked at inside of a lock lives until the one who holds it lets go`() throws {
    let pool = PixelPool(limit: 8_000)
    var small: UIImage? = try picture(10, step(32))
    let large = try picture(20)
    pool.insert(try #require(small), variant("a"))
    pool.insert(large, variant("a"))
    pool.removeUnshown()
    weak let seen = small
    var found: (image: UIImage?, losers: PixelPool.Losers)? = pool.find(variant("a"), atLeast: .full)
    #expect(found?.image === large)
    small = nil
    #expect(seen != nil)
    found = nil
    #expect(seen == nil)
  }

  @Test("In the background only what was shown last stays, an eighth of the limit")
  func background() throws {
    let (pool, center) = (PixelPool(limit: 8_000), NotificationCenter())
    let warnings = MemoryWarnings(from: center, emptying: pool)
    for number in 0..<20 { pool.insert(try picture(), variant("\(number)")) }
    center.post(name: UIApplication.didEnterBackgroundNotification, object: nil)
    #expect(pool.byteCount == 800)
    #expect(pool.largest(variant("19")) != nil)
    #expect(pool.largest(variant("17")) == nil)
    withExtendedLifetime(warnings) {}
  }

  @Test func `a second warning finds nothing to do, and what is on a screen is found after both`() throws {
    let (pool, center) = (PixelPool(limit: 8_000), NotificationCenter())
    let warnings = MemoryWarnings(from: center, emptying: pool)
    let shown = try picture()
    pool.insert(shown, variant("shown"))
    pool.insert(try picture(), variant("other"))
    for _ in 0..<2 {
      center.post(name: UIApplication.didReceiveMemoryWarningNotification, object: nil)
      #expect(pool.byteCount == 0)
    }
    #expect(pool.letGoCount == 0)
    #expect(pool.largest(variant("shown")) === shown)
    #expect(pool.largest(variant("other")) == nil)
    withExtendedLifetime(warnings) {}
  }

  @Test("What was shown longest ago goes first, not what came first")
  func leastRecentlyShown() throws {
    let pool = PixelPool(limit: 1_000)
    pool.insert(try picture(), variant("a"))
    pool.insert(try picture(), variant("b"))
    #expect(pool.image(variant("a"), atLeast: .full) != nil)
    pool.insert(try picture(), variant("c"))
    #expect(pool.image(variant("b"), atLeast: .full) == nil)
    #expect(pool.largest(variant("a")) != nil)
    pool.insert(try picture(), variant("d"))
    #expect(pool.image(variant("c"), atLeast: .full) == nil)
    #expect(pool.image(variant("a"), atLeast: .full) != nil)
  }

  @Test("A picture larger than the limit takes nobody's place, and is found while it is on a screen")
  func largerThanLimit() throws {
    let pool = PixelPool(limit: 1_000)
    pool.insert(try picture(), variant("small"))
    var screen: UIImage? = try picture(20)
    if let screen { pool.insert(screen, variant("large")) }
    #expect(pool.byteCount == 400)
    #expect(screen != nil)
    #expect(pool.image(variant("large"), atLeast: .full) === screen)
    #expect(pool.image(variant("small"), atLeast: .full) != nil)
    screen = nil
    #expect(pool.image(variant("large"), atLeast: .full) == nil)
  }

  @Test("The same picture decoded again replaces the first, and counts once")
  func replaces() throws {
    let pool = PixelPool(limit: 1_000)
    let old = try picture()
    let new = try picture()
    pool.insert(old, variant("a"))
    pool.insert(new, variant("a"))
    #expect(pool.byteCount == 400)
    #expect(pool.image(variant("a"), atLeast: .full) === new)
    withExtendedLifetime(old) {}
  }

  @Test func `sources whose pictures are gone are forgotten`() throws {
    let pool = PixelPool(limit: 1_200)
    for number in 0..<1_000 { pool.insert(try picture(), variant("\(number)")) }
    #expect(pool.sourceCount < 10)
  }

  // MARK: On a screen

  @Test("A picture that was let go is found while somebody shows it, and counts again from then on")
  func evictedButAlive() throws {
    let pool = PixelPool(limit: 400)
    let screen = try picture()
    pool.insert(screen, variant("a"))
    pool.insert(try picture(), variant("b"))
    #expect(pool.byteCount == 400)
    #expect(pool.image(variant("a"), atLeast: .full) === screen)
    #expect(pool.byteCount == 400)
    // It took its place back.
    #expect(pool.image(variant("b"), atLeast: .full) == nil)
  }

  @Test("A picture that was found again stays when the screen lets go of it")
  func countsAgain() throws {
    let pool = PixelPool(limit: 400)
    var screen: UIImage? = try picture()
    if let screen { pool.insert(screen, variant("a")) }
    pool.removeUnshown()
    #expect(pool.byteCount == 0)
    #expect(pool.image(variant("a"), atLeast: .full) === screen)
    #expect(pool.byteCount == 400)
    screen = nil
    #expect(pool.image(variant("a"), atLeast: .full) != nil)
  }

  @Test("Removing what is not shown keeps what is on a screen")
  func removeUnshown() throws {
    let pool = PixelPool(limit: 10_000)
    let screen = try picture()
    pool.insert(screen, variant("a"))
    pool.insert(try picture(), variant("b"))
    pool.removeUnshown()
    #expect(pool.byteCount == 0)
    #expect(pool.image(variant("b"), atLeast: .full) == nil)
    #expect(pool.image(variant("a"), atLeast: .full) === screen)
  }

  @Test("A screen's picture is still found when thousands of others came and went")
  func manyNames() throws {
    let pool = PixelPool(limit: 400)
    let screen = try picture()
    pool.insert(screen, variant("screen"))
    for number in 0..<2_000 { pool.insert(try picture(1), variant("\(number)")) }
    #expect(pool.byteCount == 400)
    #expect(pool.image(variant("1999"), atLeast: .full) != nil)
    #expect(pool.image(variant("screen"), atLeast: .full) === screen)
  }

  // MARK: Sizes

  @Test("Of several decodes the smallest that is enough is given, and the largest on request")
  func steps() throws {
    let pool = PixelPool(limit: 10_000)
    let (small, middle, large) = (try picture(2, step(8)), try picture(4, step(16)), try picture(8, step(32)))
    for image in [middle, large, small] { pool.insert(image, variant("a")) }
    #expect(pool.image(variant("a"), atLeast: step(1)) === small)
    #expect(pool.image(variant("a"), atLeast: step(8)) === small)
    #expect(pool.image(variant("a"), atLeast: step(16)) === middle)
    #expect(pool.image(variant("a"), atLeast: step(24)) === large)
    #expect(pool.image(variant("a"), atLeast: step(40)) == nil)
    #expect(pool.largest(variant("a")) === large)
    #expect(pool.byteCount == 4 * (4 + 16 + 64))
  }

  @Test("Decodes for different sizes in points do not stand for each other")
  func variants() throws {
    let pool = PixelPool(limit: 10_000)
    let (plain, wide) = (try picture(), try picture())
    pool.insert(plain, variant("a"))
    pool.insert(wide, variant("a", 100))
    #expect(pool.image(variant("a"), atLeast: .full) === plain)
    #expect(pool.image(variant("a", 100), atLeast: .full) === wide)
    #expect(pool.image(variant("a", 50), atLeast: .full) == nil)
    #expect(pool.largest(variant("a", 50)) == nil)
    #expect(pool.byteCount == 800)
  }

  @Test("What was decoded before the picture was replaced does not stand for the new one")
  func revisions() throws {
    let pool = PixelPool(limit: 10_000)
    let (old, new) = (try picture(), try picture())
    pool.insert(old, variant("a"))
    #expect(pool.image(variant("a", revision: 1), atLeast: step(1)) == nil)
    pool.insert(new, variant("a", revision: 1))
    #expect(pool.image(variant("a", revision: 1), atLeast: .full) === new)
    #expect(pool.largest(variant("a")) === old)
  }

  // MARK: Removing

  @Test("Removing a source lets go of all its decodes, those on a screen too, and of no other")
  func removeSource() throws {
    let pool = PixelPool(limit: 10_000)
    let screen = try picture()
    pool.insert(screen, variant("a"))
    pool.insert(try picture(5, step(8)), variant("a"))
    pool.insert(try picture(), variant("a", 100))
    pool.insert(try picture(), variant("a", revision: 7))
    pool.insert(try picture(), variant("b"))
    pool.remove(source: "a")
    pool.remove(source: "unknown")
    #expect(pool.byteCount == 400)
    #expect(pool.image(variant("a"), atLeast: step(1)) == nil)
    #expect(pool.largest(variant("a", 100)) == nil)
    #expect(pool.largest(variant("a", revision: 7)) == nil)
    #expect(pool.image(variant("b"), atLeast: .full) != nil)
    withExtendedLifetime(screen) {}
  }

  @Test("The pool holds nothing after it let go")
  func releases() throws {
    let pool = PixelPool(limit: 400)
    weak var seen: UIImage?
    do {
      let image = try picture()
      seen = image
      pool.insert(image, variant("a"))
    }
    #expect(seen != nil)
    pool.insert(try picture(), variant("b"))
    #expect(seen == nil)
  }
}
