import Foundation

/// An encoded image that is decoded when its pixels are first read, as UIKit decodes the data of `UIImage(data:)`.
///
/// If the bytes end early, the image has the available rows. If the image cannot be decoded at all, it is transparent.
// Unchecked, because of `data` and `decoded`, which are read and written only inside the lock.
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

  /// The decoded image; nil if memory runs out. The first thread that reads this property decodes the image, and other threads wait for
  /// that thread.
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

  /// Whether the caller is on the main thread, or on the thread that serves the main queue. These can differ, because a program can end its
  /// first thread.
  package static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: mark) == true }
}

/// A number that any thread can increment.
// Unchecked, because of `count`, which is read and written only inside the lock.
package final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0

  package init() {}

  package var value: Int { lock.withLock { count } }
  package func increment() { lock.withLock { count += 1 } }
}
