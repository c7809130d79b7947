import Foundation
import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct ColorControlsTests {
  typealias Transform = FutureImage.Transform
  typealias PixelBuffer = FutureImage.PixelBuffer

  /// A pixel before and after the transform, by the formulas of Apple's Core Image Filter Reference for `CIColorControls`.
  struct Sample: Sendable {
    let from: [UInt8]
    var brightness = 0.0
    var contrast = 1.0
    var saturation = 1.0
    let to: [UInt8]

    var transform: Transform { .colorControls(brightness: brightness, contrast: contrast, saturation: saturation) }
  }

  static let orange: [UInt8] = [200, 100, 50]
  static let samples = [
    Sample(from: orange, to: orange),
    Sample(from: orange, brightness: 0.2, to: [251, 151, 101]),
    Sample(from: orange, brightness: -0.2, to: [149, 49, 0]),
    Sample(from: orange, brightness: 1, to: [255, 255, 255]),
    Sample(from: orange, contrast: 2, to: [255, 73, 0]),
    Sample(from: orange, contrast: 0, to: [128, 128, 128]),
    Sample(from: orange, saturation: 0, to: [118, 118, 118]),
    Sample(from: orange, saturation: 2, to: [255, 82, 0]),
    Sample(from: orange, brightness: 0.1, contrast: 0.5, saturation: 0.5, to: [169, 144, 131]),
    Sample(from: [0, 0, 0], brightness: 0.5, to: [128, 128, 128]),
    Sample(from: [255, 255, 255], contrast: 4, to: [255, 255, 255]),
    Sample(from: [255, 0, 0], saturation: 0, to: [54, 54, 54]),
    Sample(from: [0, 255, 0], saturation: 0, to: [182, 182, 182]),
    Sample(from: [0, 0, 255], saturation: 0, to: [18, 18, 18])
  ]

  @Test(arguments: samples) func `a pixel gets the color that Apple's formulas give, and its alpha does not change`(sample: Sample) throws {
    for alpha in [UInt8(255), 100, 0] {
      let pixel = SIMD4(sample.from[0], sample.from[1], sample.from[2], alpha)
      #expect(try PixelBuffer.plain(1, 1, pixel).after(sample.transform).bytes == sample.to + [alpha])
    }
  }

  @Test(arguments: samples) func `the sample colors are the result of saturation, contrast, and brightness, applied in this order`(
    sample: Sample
  ) {
    var components = sample.from.map { Double($0) / 255 }
    let gray = 0.2126 * components[0] + 0.7152 * components[1] + 0.0722 * components[2]
    components = components.map { gray + ($0 - gray) * sample.saturation }
    components = components.map { ($0 - 0.5) * sample.contrast + 0.5 }
    components = components.map { $0 + sample.brightness }
    let bytes = components.map { UInt8((min(max($0, 0), 1) * 255).rounded()) }
    #expect(zip(bytes, sample.to).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
  }

  @Test func `neutral and non-finite arguments leave the image unchanged`() throws {
    let noise = PixelBuffer.noise(16, 16, seed: 1, isOpaque: false)
    #expect(try noise.after(.colorControls()) == noise)
    for wrong in [Double.nan, .infinity, -.infinity] {
      #expect(try noise.after(.colorControls(brightness: wrong)) == noise)
      #expect(try noise.after(.colorControls(contrast: wrong)) == noise)
      #expect(try noise.after(.colorControls(saturation: wrong)) == noise)
    }
  }

  @Test func `extreme arguments clamp the result and never trap`() throws {
    let gray = PixelBuffer(row: [0, 1, 127, 128, 254, 255])
    #expect(try gray.after(.colorControls(contrast: 1e308)).reds == [0, 0, 0, 255, 255, 255])
    _ = try PixelBuffer.noise(8, 8, seed: 2).after(.colorControls(brightness: 1e308, contrast: -1e308, saturation: 1e308))
  }

  @Test func `the name of color controls contains every parameter, and equal parameters give equal transforms`() {
    let transforms = [
      Transform.colorControls(brightness: 0.5), .colorControls(contrast: 0.5), .colorControls(saturation: 0.5),
      .colorControls(brightness: 0.5, contrast: 0.5), .colorControls()
    ]
    #expect(Set(transforms).count == 5)
    #expect(Transform.colorControls(saturation: 0) == .colorControls(brightness: 0, contrast: 1, saturation: 0))
    #expect(transforms[0].names == "color controls of brightness 0.5, contrast 1.0, saturation 1.0")
  }
}
