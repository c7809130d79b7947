import Foundation
import Testing

@testable import FutureImage
@testable import FutureImageCache

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct CacheCoderTests {
  private struct Item: Codable, Hashable, Sendable {
    var title: String
    var price: Double?
  }

  /// A type that an app defines.
  private struct Sketch: Sendable, Equatable { var points: [UInt8] }

  private static let sketches = CacheCoder<Sketch>(encode: { Data($0.points) }, decode: { Sketch(points: Array($0)) })

  private func expectRoundTrip<Value: Equatable & Sendable>(_ value: Value, as coder: CacheCoder<Value>) async throws {
    let directory = Scratch.folder()
    let cache = Cache<Value>(directory: directory, as: coder)
    cache.set(value, forKey: "k")
    await cache.waitUntilIdle()
    #expect(cache.faultCount == 0)
    #expect(try await Cache<Value>(directory: directory, as: coder).value(forKey: "k") == value)
  }

  @Test func `data, strings, Codable values, and an app's own types survive a round trip to disk`() async throws {
    try await expectRoundTrip(Data(), as: .data)
    try await expectRoundTrip(Data([1, 2, 0]), as: .data)
    try await expectRoundTrip("", as: .string)
    try await expectRoundTrip("é 🖼\0", as: .string)
    try await expectRoundTrip([Item(title: "a", price: nil), Item(title: "b", price: 1.5)], as: .json)
    try await expectRoundTrip(["a": 1], as: .json)
    try await expectRoundTrip(Sketch(points: [1, 2, 3]), as: Self.sketches)
  }

  @Test func `an image that the app has set is read back from disk, and a fetched image is stored as its original bytes`() async throws {
    let directory = Scratch.folder()
    let cache = Cache<UIImage>(directory: directory, as: .image)
    let picture = SampleImage.image(8, 6)
    cache.set(picture, forKey: "set")
    #expect(cache.valueInMemory(forKey: "set") === picture)
    let jpeg = SampleImage.jpeg(40, 30)
    _ = try await cache.value(from: .data(key: "fetched") { jpeg })
    await cache.waitUntilIdle()
    #expect(await cache.sizes().memoryBytes == (8 * 6 + 40 * 30) * 4)
    let reopenedCache = Cache<UIImage>(directory: directory, as: .image)
    #expect(try await reopenedCache.value(forKey: "set")?.cgImage?.width == 8)
    #expect(try await reopenedCache.value(forKey: "fetched")?.cgImage?.width == 40)
    #expect(try await cache.disks[""]?.entry(forKey: "fetched")?.body == jpeg)
  }

  @Test func `an image is decoded upright when it is read, and a truncated image is refused`() throws {
    let coder = CacheCoder.image
    let turned = try EndOfDataTests.fixture("exif/Landscape_6.jpg")
    let image = try coder.decode(turned)
    #expect(image.imageOrientation == .up && image.cgImage?.width == Int(image.size.width) && image.size.width > image.size.height)
    #expect(throws: FutureImage.Failure(.undecodable("it ends early"))) { try coder.decode(turned.dropLast(12)) }
    #expect(throws: FutureImage.Failure.self) { try coder.decode(Data("no image".utf8)) }
  }

  @Test func `if the cost of a value is its encoded size, the value counts toward the memory limit after it is encoded`() async throws {
    let cache = Cache<[Item]>(
      directory: Scratch.folder(), as: .json, capacity: CacheCapacity(memoryBytes: 200))
    let items = [Item(title: String(repeating: "t", count: 100))]
    cache.set(items, forKey: "a")
    cache.set(items, forKey: "b")
    await cache.waitUntilIdle()
    let sizes = await cache.sizes()
    // Each encoded value has more than 100 bytes, so only one of the two values fits into the limit of 200 bytes.
    #expect(sizes.memoryCount == 1)
    #expect(sizes.memoryBytes == (try JSONEncoder().encode(items)).count)
    #expect(try await cache.value(forKey: "a") == items)
    #expect(try await cache.value(forKey: "b") == items)
  }

  @Test func `a value that cannot be encoded stays in memory, and the fault is counted`() async throws {
    let cache = Cache<Double>(directory: Scratch.folder(), as: .json)
    cache.set(.infinity, forKey: "k")
    await cache.waitUntilIdle()
    #expect(cache.faultCount == 1)
    #expect(cache.lastFault is EncodingError)
    #expect(cache.valueInMemory(forKey: "k") == .infinity)
  }
}
