import Dispatch
import Foundation
import FutureImage

/// A disk tier in memory whose calls wait until they are resumed.
final class SeededTier: FutureImage.DiskTier {
  /// The error of a broken tier.
  struct Broken: Error, CustomStringConvertible {
    let description = "the simulated disk is broken"
  }

  private let calls: HeldCalls
  private let entries = Lock<[String: FutureImage.CacheEntry]>([:], rank: .testing)

  init(_ calls: HeldCalls) {
    self.calls = calls
  }

  func entry(forKey key: String) async throws -> FutureImage.CacheEntry? {
    try await hold("reading \(key)")
    return entries.withLock { $0[key] }
  }

  func store(_ entry: FutureImage.CacheEntry, forKey key: String) async throws {
    try await hold("storing \(key)")
    entries.withLock { $0[key] = entry }
  }

  func remove(forKey key: String) async throws {
    try await hold("removing \(key)")
    entries.withLock { $0[key] = nil }
  }

  private func hold(_ what: String) async throws {
    let isBroken = await withCheckedContinuation { continuation in
      calls.add(what, mayFail: true) { continuation.resume(returning: $0) }
    }
    if isBroken { throw Broken() }
  }
}

/// A generator that produces the same random numbers for the same seed on every platform.
///
/// Source: G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", 2014 (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator with this seed.
  public init(seed: UInt64) {
    state = seed
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// A decoder whose decodes wait until they are resumed. They wait on a thread of the loader's decoding queue.
struct SeededDecoder: FutureImage.ImageDecoder {
  let decoder: any FutureImage.ImageDecoder
  let calls: HeldCalls

  func size(of data: Data) throws -> FutureImage.PixelSize { try decoder.size(of: data) }

  func decode(_ data: Data, size: FutureImage.PixelSize) throws -> CGImage {
    let mayGoOn = DispatchSemaphore(value: 0)
    calls.add("decoding \(data.count) bytes to \(size.width) × \(size.height) pixels") { _ in mayGoOn.signal() }
    mayGoOn.wait()
    return try decoder.decode(data, size: size)
  }

  func animation(of data: Data, size: FutureImage.PixelSize) throws -> FutureImage.Animation? {
    try decoder.animation(of: data, size: size)
  }

  func preview(of beginning: Data, size: FutureImage.PixelSize) throws -> CGImage? {
    try decoder.preview(of: beginning, size: size)
  }
}
