import Foundation
import Testing
import UIKitStandIn

/// Animated PNGs that violate their format. A PNG without a valid first frame is a still image. A broken frame ends the animation.
@Suite("Broken animated PNGs", .timeLimit(.minutes(5)))
struct BrokenAnimatedPNGTests {
  /// The fixture has five frames, each with one chunk of pixels.
  private func chunks() throws -> PNGChunks { PNGChunks(try AnimatedPNGTests.data("none-over")) }

  /// Returns the number of frames that the file describes, and the number of frames that are shown. Both are 1 for a still image.
  private func frames(_ data: Data) throws -> [Int] {
    let found = try ImageCodecs.info(of: data).frames
    let whole = try #require(try ImageCodecs.animation(of: AnimatedPNGTests.data("none-over"))).frames
    guard let animation = try ImageCodecs.animation(of: data) else {
      #expect(try ImageCodecs.decode(data).hasSamePixels(as: whole[0].image))
      return [found, 1]
    }
    #expect(zip(animation.frames, whole).allSatisfy { $0.image.hasSamePixels(as: $1.image) })
    return [found, animation.frames.count]
  }

  /// Returns the numbers of described and shown frames for a copy of the fixture. In the copy, the content of one chunk ends after `count`
  /// bytes.
  private func frames(cutting name: String, _ number: Int, to count: Int) throws -> [Int] {
    try frames { $0.chunks[$0.indices(name)[number]].content = $0.chunks[$0.indices(name)[number]].content.prefix(count) }
  }

  /// Returns the numbers of described and shown frames for a changed copy of the fixture.
  private func frames(_ change: (inout PNGChunks) throws -> Void) throws -> [Int] {
    var copy = try chunks()
    try change(&copy)
    return try frames(copy.data)
  }

  @Test func `a file whose acTL is broken, has no frames, or follows the pixels is a still image`() throws {
    #expect(try frames { _ in } == [5, 5])
    #expect(try frames { $0.set(0, at: 0, of: $0.indices("acTL")[0]) } == [1, 1])
    #expect(try frames(cutting: "acTL", 0, to: 7) == [1, 1])
    #expect(try frames { $0.chunks.remove(at: $0.indices("acTL")[0]) } == [1, 1])
    #expect(try frames { $0.chunks.swapAt($0.indices("acTL")[0], $0.indices("IDAT")[0]) } == [1, 1])
    var data = try chunks().data
    let control = try #require(data.range(of: Data("acTL".utf8))).upperBound
    data[control + 8] ^= 1
    #expect(try frames(data) == [1, 1])
  }

  @Test func `a file that declares fewer or more frames than it has shows the smaller number of frames`() throws {
    #expect(try frames { $0.set(2, at: 0, of: $0.indices("acTL")[0]) } == [2, 2])
    #expect(try frames { $0.set(.max, at: 0, of: $0.indices("acTL")[0]) } == [5, 5])
    #expect(try frames { $0.set(6, at: 0, of: $0.indices("acTL")[0]) } == [5, 5])
    #expect(try frames { $0.set(1, at: 0, of: $0.indices("acTL")[0]) } == [1, 1])
  }

  /// Changes of fcTL: the position of four bytes, and their new value. The canvas has 12 × 8 pixels.
  static let brokenFrames: [(at: Int, number: UInt32)] = [
    (0, 9), (4, 0), (4, 13), (4, .max), (8, 0), (8, 9), (8, .max), (12, 12), (12, .max), (16, 8), (16, 0x8000_0000)
  ]

  @Test(arguments: brokenFrames)
  func `a frame that leaves the canvas, has no pixels, or has a wrong sequence number ends the animation`(at: Int, number: UInt32) throws {
    #expect(try frames { $0.set(number, at: at, of: $0.indices("fcTL")[0]) } == [1, 1])
    #expect(try frames { $0.set(number, at: at, of: $0.indices("fcTL")[1]) } == [1, 1])
    #expect(try frames { $0.set(number, at: at, of: $0.indices("fcTL")[3]) } == [3, 3])
  }

  @Test func `an fcTL with an unknown disposal or blending, a wrong length, or a wrong checksum ends the animation`() throws {
    #expect(try frames { $0.chunks[$0.indices("fcTL")[3]].content[24] = 3 } == [3, 3])
    #expect(try frames { $0.chunks[$0.indices("fcTL")[3]].content[25] = 2 } == [3, 3])
    #expect(try frames { $0.chunks[$0.indices("fcTL")[3]].content.append(0) } == [3, 3])
    #expect(try frames(cutting: "fcTL", 3, to: 25) == [3, 3])
    var data = try chunks().data
    let last = try #require(data.range(of: Data("fcTL".utf8), options: .backwards)).upperBound
    data[last + 26] ^= 1
    #expect(try frames(data) == [4, 4])
  }

  @Test func `a first frame that does not cover the canvas, or a second fcTL before the pixels, makes the file a still image`() throws {
    #expect(try frames { $0.set(11, at: 4, of: $0.indices("fcTL")[0]) } == [1, 1])
    #expect(
      try frames {
        let first = $0.indices("fcTL")[0]
        $0.chunks.insert($0.chunks[first], at: first)
        $0.renumber()
      } == [1, 1])
  }

  @Test func `a missing or repeated sequence number ends the animation`() throws {
    #expect(try frames { $0.set(0, at: 0, of: $0.indices("fcTL")[1]) } == [1, 1])
    #expect(try frames { $0.set(4, at: 0, of: $0.indices("fdAT")[0]) } == [1, 1])
    #expect(try frames { $0.set(5, at: 0, of: $0.indices("fdAT")[2]) } == [3, 3])
    #expect(try frames { $0.chunks.remove(at: $0.indices("fdAT")[2]) } == [3, 3])
    #expect(
      try frames {
        let third = $0.indices("fdAT")[2]
        $0.chunks.insert($0.chunks[third], at: third)
      } == [3, 3])
    #expect(try frames { $0.chunks.swapAt($0.indices("fcTL")[3], $0.indices("fcTL")[4]) } == [3, 3])
  }

  @Test func `a frame whose chunk of pixels is missing, too short, too early, or of the wrong type ends the animation`() throws {
    #expect(
      try frames {
        $0.chunks.remove(at: $0.indices("fdAT")[2])
        $0.renumber()
      } == [3, 3])
    #expect(try frames(cutting: "fdAT", 2, to: 3) == [3, 3])
    #expect(try frames { $0.chunks[$0.indices("fdAT")[2]].name = "IDAT" } == [3, 3])
    #expect(try frames { $0.chunks.insert(("fdAT", ColorFile.bigEndian(1)), at: $0.indices("IDAT")[0]) } == [1, 1])
  }

  @Test func `a frame with broken pixels ends the animation when the frame is decoded`() throws {
    #expect(try frames { $0.chunks[$0.indices("fdAT")[2]].content[6] ^= 0xFF } == [5, 3])
    #expect(try frames { $0.chunks[$0.indices("fdAT")[2]].content.removeLast(12) } == [5, 3])
    #expect(try frames(cutting: "fdAT", 2, to: 4) == [5, 3])
    // The fourth frame declares more rows than it has.
    #expect(
      try frames {
        $0.set(8, at: 8, of: $0.indices("fcTL")[3])
        $0.set(0, at: 16, of: $0.indices("fcTL")[3])
      } == [5, 3])
    var data = try chunks().data
    let last = try #require(data.range(of: Data("fcTL".utf8), options: .backwards)).lowerBound
    // The checksum of the fourth frame's pixels.
    data[last - 5] ^= 1
    #expect(try frames(data) == [5, 3])
  }

  @Test func `empty chunks of pixels add nothing to a frame`() throws {
    let changed = try frames {
      for index in $0.indices("fdAT").reversed() {
        for place in [index + 1, index, index] { $0.chunks.insert(("fdAT", Data(count: 4)), at: place) }
      }
      $0.renumber()
    }
    #expect(changed == [5, 5])
  }

  @Test func `if the first frame is broken and is not the default image, the default image is shown`() throws {
    var copy = PNGChunks(try AnimatedPNGTests.data("hidden-default"))
    copy.chunks[copy.indices("fdAT")[0]].content[6] ^= 0xFF
    #expect(try ImageCodecs.decode(copy.data).pixel(0, 0) == Pixel(255, 0, 0, 255))
    #expect(throws: CodecError.self) { try ImageCodecs.animation(of: copy.data) }
    // A wrong sequence number is found before the pixels are decoded, so the file is a still image.
    copy.set(9, at: 0, of: copy.indices("fcTL")[0])
    #expect(try ImageCodecs.animation(of: copy.data) == nil)
    #expect(try ImageCodecs.decode(copy.data).pixel(0, 0) == Pixel(255, 0, 0, 255))
  }

  @Test func `an animation that ends early throws a truncation error, wherever it ends`() throws {
    for name in ["previous-over", "hidden-default", "palette-interlaced"] {
      let data = try AnimatedPNGTests.data(name)
      for count in 12..<data.count {
        #expect {
          let animation = try ImageCodecs.animation(of: data.prefix(count))
          // Before the first pixels have arrived, the file has no frames.
          if animation == nil { _ = try ImageCodecs.decode(data.prefix(count)) }
        } throws: {
          if case .truncated = $0 as? CodecError { true } else { false }
        }
      }
    }
  }

  @Test(arguments: AnimatedPNGTests.names)
  func `a file with random changes decodes or is refused, without a crash`(name: String) throws {
    let original = PNGChunks(try AnimatedPNGTests.data(name))
    var state: UInt32 = 7
    func next(_ bound: Int) -> Int {
      state = state &* 1_664_525 &+ 1_013_904_223
      return Int(state >> 8) % bound
    }
    for round in 0..<150 {
      var copy = original
      for _ in 0...(round % 3) {
        let index = next(copy.chunks.count)
        if copy.chunks[index].content.isEmpty { continue }
        copy.chunks[index].content[next(copy.chunks[index].content.count)] = UInt8(next(256))
      }
      if round % 5 == 0 { copy.chunks.swapAt(next(copy.chunks.count), next(copy.chunks.count)) }
      if round % 2 == 0 { copy.renumberIfPossible() }
      var limits = CodecLimits()
      limits.maxPixels = 10_000
      _ = try? ImageCodecs.animation(of: copy.data, limits: limits)
      _ = try? ImageCodecs.decode(copy.data, size: PixelSize(width: 3, height: 3), limits: limits)
    }
  }

  @Test func `a file of more than 10,000 frames shows 10,000 frames`() throws {
    var copy = try chunks()
    let (control, pixels) = (copy.chunks[copy.indices("fcTL")[4]], copy.chunks[copy.indices("fdAT")[3]])
    copy.set(.max, at: 0, of: copy.indices("acTL")[0])
    copy.chunks.removeLast()
    for _ in 0..<12_000 { copy.chunks += [control, pixels] }
    copy.chunks.append(("IEND", Data()))
    copy.renumber()
    let data = copy.data
    #expect(try ImageCodecs.info(of: data).frames == 10_000)
    #expect(try ImageCodecs.animation(of: data, size: PixelSize(width: 2, height: 2))?.frames.count == 10_000)
  }

  @Test func `a frame of 50,000 empty chunks of pixels decodes in linear time`() throws {
    var copy = try chunks()
    let index = copy.indices("fdAT")[1]
    copy.chunks.insert(contentsOf: Array(repeating: ("fdAT", Data(count: 4)), count: 50_000), at: index)
    copy.renumber()
    #expect(try frames(copy.data) == [5, 5])
  }
}

extension PNGChunks {
  /// Numbers the chunks of frames, unless one of them is too short for a number.
  fileprivate mutating func renumberIfPossible() {
    let isPossible = chunks.allSatisfy { !["fcTL", "fdAT"].contains($0.name) || $0.content.count >= 4 }
    if isPossible { renumber() }
  }
}
