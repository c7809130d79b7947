import Foundation

/// An encoded image that is decoded when its pixels are first read, as UIKit decodes the data of `UIImage(data:)`.
///
/// An image whose bytes end early shows the available rows. An image that cannot be decoded at all is transparent.
// Unchecked, because of `decoded`: it is read and written under the lock only.
final class LazyBitmap: @unchecked Sendable {
  private let lock = NSLock()
  private var data: Data
  private var decoded: CGImage?
  private let size: PixelSize

  /// - Parameter size: the size as stored, before the orientation is applied.
  init(_ data: Data, size: PixelSize) {
    self.data = data
    self.size = size
  }

  var isDecoded: Bool { lock.withLock { decoded != nil } }

  /// The decoded image; nil if memory runs out. The calling thread decodes; a second one waits for it.
  var image: CGImage? {
    lock.withLock {
      if let decoded { return decoded }
      if MainThread.isCurrent { CGImage.mainThreadDecodes.increment() }
      decoded = Self.decode(data, size)
      if decoded != nil { data = Data() }
      return decoded
    }
  }

  private static func decode(_ data: Data, _ size: PixelSize) -> CGImage? {
    if let whole = try? ImageCodecs.decode(data, applyingOrientation: false) { return whole }
    return ImageCodecs.rows(of: data)
      ?? CGImage(width: size.width, height: size.height) { $0.initializeMemory(as: UInt8.self, repeating: 0) }
  }
}

package enum MainThread {
  private static let mark: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Whether the caller is on the main thread, or on the thread that serves the main queue: a program may have given up its first thread.
  package static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: mark) == true }
}

/// A number that any thread can increment.
// Unchecked, because of `count`: it is read and written under the lock only.
package final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0

  package init() {}

  package var value: Int { lock.withLock { count } }
  package func increment() { lock.withLock { count += 1 } }
}
