import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@Suite("DecodeStep", .timeLimit(.minutes(5))) struct DecodeStepTests {
  typealias PixelSize = FutureImage.PixelSize
  typealias Fitting = FutureImage.Fitting

  /// The sizes of all decode steps, in 64ths of the full size.
  private static let allParts: [UInt8] = [1, 2, 4, 8, 16, 24, 32, 40, 48, 56, 64]

  @Test(
    arguments: [
      (PixelSize(width: 768, height: 512), Fitting.fill(width: 160, height: 160), 24, PixelSize(width: 288, height: 192)),
      (PixelSize(width: 768, height: 512), .fit(width: 160, height: 160), 16, PixelSize(width: 192, height: 128)),
      (PixelSize(width: 5120, height: 2880), .fit(width: 160, height: 160), 2, PixelSize(width: 160, height: 90)),
      (PixelSize(width: 100, height: 100), .fit(width: 160, height: 160), 64, PixelSize(width: 100, height: 100))
    ])
  func `a fitting gives the expected decode step and decoded size`(
    picture: PixelSize, fitting: Fitting, parts: Int, decoded: PixelSize
  ) {
    let step = DecodeStep(showing: picture, fitting)
    #expect(Int(step.parts) == parts)
    #expect(step.size(of: picture) == decoded)
  }

  @Test func `the full step has the size of the image`() {
    let picture = PixelSize(width: 4001, height: 3)
    #expect(DecodeStep(showing: picture, .full) == .full)
    #expect(DecodeStep.full.size(of: picture) == picture)
  }

  @Test(arguments: zip(allParts, allParts.dropFirst()))
  func `a box as large as a step gives that step, and a box one pixel larger gives the next`(parts: UInt8, next: UInt8) {
    let picture = PixelSize(width: 6_400, height: 6_400)
    let edge = Int(parts) * 100
    #expect(DecodeStep(showing: picture, .fit(width: edge, height: edge)).parts == parts)
    #expect(DecodeStep(showing: picture, .fit(width: edge - 1, height: edge)).parts == parts)
    #expect(DecodeStep(showing: picture, .fit(width: edge + 1, height: edge + 1)).parts == next)
  }

  @Test func `if a fraction exceeds a decode step by at most 0.001/64, that step is chosen`() {
    #expect(DecodeStep(fraction: 4.001 / 64).parts == 4)
    #expect(DecodeStep(fraction: 4.002 / 64).parts == 8)
  }

  @Test func `views of similar sizes share a step`() {
    let picture = PixelSize(width: 3_000, height: 2_000)
    let steps = (190...250).map { DecodeStep(showing: picture, .fit(width: $0, height: $0)) }
    #expect(Set(steps).count == 1)
  }

  @Test func `a decode has all the pixels that the view needs, and never more than the image has`() {
    var random = SeededGenerator(seed: 5)
    func edge(_ most: Int) -> Int { Int.random(in: 1...(Bool.random(using: &random) ? most : 100), using: &random) }
    for _ in 0..<5_000 {
      let picture = PixelSize(width: edge(16_384), height: edge(16_384))
      let box = PixelSize(width: edge(3_000), height: edge(3_000))
      let (wide, high) = (CGFloat(box.width) / CGFloat(picture.width), CGFloat(box.height) / CGFloat(picture.height))
      for (fitting, scale) in [(Fitting.fit(box), min(wide, high)), (.fill(box), max(wide, high))] {
        let size = DecodeStep(showing: picture, fitting).size(of: picture)
        // Subtracts a small tolerance, so that a rounding error does not require the next step for a box that a step fills exactly.
        func needed(_ edge: Int) -> Int { Int((CGFloat(edge) * (min(1, scale) - 0.001 / 64) - 1e-6).rounded(.up)) }
        let (neededWidth, neededHeight) = (needed(picture.width), needed(picture.height))
        if size.width < neededWidth || size.height < neededHeight { Issue.record("\(picture) in \(fitting): \(size) is too small") }
        if size.width > picture.width || size.height > picture.height { Issue.record("\(picture) in \(fitting): \(size) is too large") }
        if size.width < 1 || size.height < 1 { Issue.record("\(picture) in \(fitting): \(size) has no pixels") }
      }
    }
  }

  @Test func `no step smaller than the chosen step has enough pixels`() {
    var random = SeededGenerator(seed: 6)
    for _ in 0..<2_000 {
      let picture = PixelSize(width: Int.random(in: 64...8_000, using: &random), height: Int.random(in: 64...8_000, using: &random))
      let box = PixelSize(width: Int.random(in: 1...3_000, using: &random), height: Int.random(in: 1...3_000, using: &random))
      let step = DecodeStep(showing: picture, .fill(box))
      guard let below = Self.allParts.last(where: { $0 < step.parts }) else { continue }
      let (width, height) = (CGFloat(picture.width) * CGFloat(below) / 64, CGFloat(picture.height) * CGFloat(below) / 64)
      let isEnough = width >= CGFloat(box.width) && height >= CGFloat(box.height)
      if isEnough { Issue.record("\(picture) in \(box): \(step.parts), though \(below) is enough") }
    }
  }

  @Test(arguments: [(1, 1), (1, 9_999), (63, 65), (768, 512), (5_120, 2_880), (16_383, 7)])
  func `a larger step makes no side smaller`(width: Int, height: Int) {
    let picture = PixelSize(width: width, height: height)
    let wide = PixelSize(width: 6_400, height: 6_400)
    let steps = Self.allParts.map { DecodeStep(showing: wide, .fit(width: Int($0) * 100, height: Int($0) * 100)) }
    #expect(steps.map(\.parts) == Self.allParts)
    #expect(steps == steps.sorted())
    let sizes = steps.map { $0.size(of: picture) }
    for (smaller, larger) in zip(sizes, sizes.dropFirst()) {
      #expect(smaller.width <= larger.width)
      #expect(smaller.height <= larger.height)
    }
    #expect(sizes.last == picture)
  }

  @Test func `a larger box never gives a smaller step`() {
    let picture = PixelSize(width: 1_234, height: 777)
    for fitting in [Fitting.fit(_:), Fitting.fill(_:)] {
      let steps = (0...1_500).map { DecodeStep(showing: picture, fitting(PixelSize(width: $0, height: $0))) }
      #expect(steps == steps.sorted())
      #expect(steps.last == .full)
    }
  }

  @Test(arguments: [0, -1, Int.max, .min])
  func `even a box with no area or with invalid sides gives a decode step with at least one pixel`(edge: Int) {
    let picture = PixelSize(width: 100, height: 100)
    for fitting in [Fitting.fit(width: edge, height: edge), .fill(width: edge, height: 10)] {
      let size = DecodeStep(showing: picture, fitting).size(of: picture)
      #expect((1...100).contains(size.width))
      #expect((1...100).contains(size.height))
    }
  }
}
