// CryptoKit has no Objective-C part.
// Facts: Apple docs: HashFunction, SHA256, SHA256Digest.
import Foundation
public struct SHA256Digest: Sequence, Hashable, Sendable {
  public static var byteCount: Int { 32 }
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { try [UInt8]().withUnsafeBytes(body) }
  public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
}
public struct SHA256: Sendable {
  public init() {}
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
  public func finalize() -> SHA256Digest { SHA256Digest() }
}
