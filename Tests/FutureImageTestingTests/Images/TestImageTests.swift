import Foundation
import FutureImage
import FutureImageTesting
import Testing

/// The images that the library decodes from the files of `TestImage`.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct TestImageTests {
  private let held = HeldFetcher()

  private func decoded(_ bytes: Data) async throws -> UIImage {
    let url = try #require(URL(string: "https://pictures.test/a"))
    let future = FutureImage(at: url, loader: FutureImage.Loader(.held(by: held)))
    try await held.waitForHeld()
    held.resolve(with: bytes)
    return try await future.animatedImage()
  }

  private func firstPixel(_ bytes: Data) async throws -> SIMD4<UInt8>? {
    let url = try #require(URL(string: "https://pictures.test/a"))
    let seen = Seen()
    let transform = FutureImage.Transform.custom("seen") { image in
      if let bitmap = image.cgImage, let pixels = FutureImage.PixelBuffer(bitmap, scale: 1) { seen.note(pixels[0, 0]) }
      return image
    }
    let future = FutureImage(at: url, transform: transform, loader: FutureImage.Loader(.held(by: held)))
    try await held.waitForHeld()
    held.resolve(with: bytes)
    _ = try await future.value
    return seen.pixel
  }

  private final class Seen: @unchecked Sendable {
    // Sendable: the lock guards `noted`.
    private let lock = NSLock()
    private var noted: SIMD4<UInt8>?

    func note(_ pixel: SIMD4<UInt8>) { lock.withLock { noted = pixel } }
    var pixel: SIMD4<UInt8>? { lock.withLock { noted } }
  }

  @Test(arguments: [\TestImage.jpeg, \.png, \.gif])
  func `a TestImage is decoded at its size`(_ encode: KeyPath<TestImage, Data> & Sendable) async throws {
    let image = try await decoded(TestImage(width: 31, height: 17, color: .red)[keyPath: encode])
    #expect(image.cgImage?.width == 31)
    #expect(image.cgImage?.height == 17)
  }

  @Test(arguments: [\TestImage.png, \.gif])
  func `a TestImage retains its color when it is encoded and decoded`(_ encode: KeyPath<TestImage, Data> & Sendable) async throws {
    let pixel = try await firstPixel(TestImage(color: .blue)[keyPath: encode])
    // The red, green, blue, and alpha of `TestImage.Color.blue`.
    #expect(pixel == SIMD4(40, 80, 220, 255))
  }

  @Test(arguments: [\TestImage.jpeg, \.png, \.gif])
  func `a TestImage with noise makes a large file, and the same seed makes the same file`(
    _ encode: KeyPath<TestImage, Data> & Sendable
  ) async throws {
    let noise = TestImage(width: 300, height: 200, noiseSeed: 7)[keyPath: encode]
    #expect(noise.count > 30_000)
    #expect(noise == TestImage(width: 300, height: 200, noiseSeed: 7)[keyPath: encode])
    #expect(noise != TestImage(width: 300, height: 200, noiseSeed: 8)[keyPath: encode])
    #expect(try await decoded(noise).cgImage?.width == 300)
  }

  @Test func `a GIF decodes to all its frames with their duration`() async throws {
    let frames = [TestImage(width: 40, height: 30, color: .red), TestImage(color: .green), TestImage(noiseSeed: 1)]
    let image = try await decoded(TestImage.gif(frames: frames, frameDuration: .milliseconds(200)))
    #expect(image.images?.count == 3)
    #expect(abs(image.duration - 0.6) < 0.001)
    #expect(image.images?.first?.cgImage?.width == 40)
  }

  @Test func `the method gif returns no bytes for an empty list of frames, and accepts any frame duration`() async throws {
    #expect(TestImage.gif(frames: [], frameDuration: .zero).isEmpty)
    for duration in [Duration.seconds(-1), .seconds(Int64.max)] {
      let image = try await decoded(TestImage.gif(frames: [TestImage(), TestImage(color: .red)], frameDuration: duration))
      #expect(image.images != nil)
    }
  }

  @Test(arguments: [0, -5, .min])
  func `a TestImage is at least one pixel wide and high`(_ side: Int) async throws {
    let picture = TestImage(width: side, height: side)
    #expect(picture.width == 1)
    #expect(try await decoded(picture.png).cgImage?.height == 1)
  }
}
