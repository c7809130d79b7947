import CImageCodecs
import Foundation

/// An immutable bitmap: red, green, blue and alpha, a byte each, not premultiplied, assumed to be sRGB; rows from the top, without
/// padding. One allocation of `width * height * 4` bytes. May be read on any thread.
// Unchecked, because of the pointer: the memory is written in the initializer only, before anyone else has the object, and freed
// in `deinit`, when nobody has it any more.
public final class CGImage: @unchecked Sendable {
  /// Pixels.
  public let width: Int
  /// Pixels.
  public let height: Int
  private let storage: Storage

  private enum Storage {
    /// Memory of this object's own.
    case pixels(UnsafeMutableRawPointer)
    case copy(of: CGImage)
    case encoded(LazyBitmap)
  }

  /// How many pictures were decoded on the main thread because their pixels were first read there: a stall that UIKit does not report.
  package static let mainThreadDecodes = Counter()

  /// From one row to the next: `4 * width`.
  public var bytesPerRow: Int { width * 4 }

  /// Nil unless both sides are at least 1 and `rgba` holds exactly `width * height * 4` bytes, and when memory runs out.
  public convenience init?(width: Int, height: Int, rgba: [UInt8]) {
    guard Self.byteCount(width: width, height: height) == rgba.count else { return nil }
    self.init(width: width, height: height) { $0.copyBytes(from: rgba) }
  }

  /// Lets `body` write all `width * height * 4` bytes; they hold nothing meaningful before. Nil unless both sides are at least 1,
  /// and when memory runs out. Rethrows what `body` throws.
  package init?<Failure: Error>(
    width: Int, height: Int, initializing body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    guard let count = Self.byteCount(width: width, height: height), let pixels = Self.memory(count) else { return nil }
    do throws(Failure) {
      try body(UnsafeMutableRawBufferPointer(start: pixels, count: count))
    } catch {
      Self.release(pixels, count)
      throw error
    }
    self.width = width
    self.height = height
    storage = .pixels(pixels)
  }

  private init(_ width: Int, _ height: Int, _ storage: Storage) {
    self.width = width
    self.height = height
    self.storage = storage
  }

  /// The picture in `data`, decoded when its pixels are first read.
  ///
  /// - Parameter size: As stored, before its orientation is applied; both sides at least 1.
  package convenience init(decodingLater data: Data, size: PixelSize) {
    self.init(size.width, size.height, .encoded(LazyBitmap(data, size: size)))
  }

  /// Another object with the same pixels, which are shared and not duplicated.
  public func copy() -> CGImage? {
    // Copies of copies would hold each other.
    if case .copy(let original) = storage { return original.copy() }
    return CGImage(width, height, .copy(of: self))
  }

  /// Whether reading the pixels takes no decode.
  package var isDecoded: Bool {
    switch storage {
    case .pixels: true
    case .copy(let original): original.isDecoded
    case .encoded(let bitmap): bitmap.isDecoded
    }
  }

  deinit {
    if case .pixels(let pixels) = storage { Self.release(pixels, width * height * 4) }
  }

  /// Calls `body` with the bytes of all rows. They never change, and stay where they are as long as the image lives. A picture that has
  /// not been decoded yet is decoded first, on the calling thread; where memory does not suffice for that, there are no bytes.
  public func withRGBA<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    switch storage {
    case .copy(let original): return try original.withRGBA(body)
    case .encoded(let bitmap):
      guard let image = bitmap.image else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
      return try image.withRGBA(body)
    case .pixels(let pixels):
      return try withExtendedLifetime(self) { try body(UnsafeRawBufferPointer(start: pixels, count: width * height * 4)) }
    }
  }

  /// Room for so many bytes, each of which is about to be written.
  private static func memory(_ count: Int) -> UnsafeMutableRawPointer? {
    if count >= much {
      let pages = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      return pages == MAP_FAILED ? nil : pages
    }
    guard let memory = malloc(count) else { return nil }
    // The system gives out pages as they are first written to, which takes a thumbnail nearly as long as its decoding; all at once they
    // are cheaper. Not those of large pictures: they would be out of the processor's cache before they are written, and a file may claim to be
    // large. Where the system does not know the call (before Linux 5.14) nothing changes.
    if (1 << 15...1 << 20).contains(count) {
      let page = Int(getpagesize())
      let start = (Int(bitPattern: memory) + page - 1) & ~(page - 1)
      let end = (Int(bitPattern: memory) + count) & ~(page - 1)
      // Whole pages within what was just allocated, which nobody else has yet.
      if let pages = UnsafeMutableRawPointer(bitPattern: start), start < end { madvise(pages, end - start, MADV_POPULATE_WRITE) }
    }
    return memory
  }

  /// From so many bytes on an image has pages of its own, which go back to the system with it. Below, fresh pages for each picture would
  /// cost nearly as much time as decoding it.
  private static let much = 32 << 20

  /// Of memory that `memory(_:)` gave for so many bytes, and nobody has any more.
  private static func release(_ memory: UnsafeMutableRawPointer, _ count: Int) {
    if count >= much { munmap(memory, count) } else { free(memory) }
  }

  /// Nil for sizes that no memory could hold, and for sides that the C entries could not take.
  private static func byteCount(width: Int, height: Int) -> Int? {
    guard 1...Int(Int32.max) ~= width, 1...Int(Int32.max) ~= height else { return nil }
    let (count, overflows) = (width * height).multipliedReportingOverflow(by: 4)
    return overflows ? nil : count
  }
}

extension CGImage {
  /// Upright, for a bitmap whose orientation this is. Itself if there is nothing to turn; nil when memory runs out.
  package func turned(_ orientation: ExifOrientation) -> CGImage? {
    guard orientation != .up else { return self }
    guard hasPixels else { return nil }
    let size = PixelSize(width: width, height: height).swapped(if: orientation.swapsAxes)
    return withBytes { source in
      CGImage(width: size.width, height: size.height) { pixels in
        // The target has as many bytes as the source, and each stored pixel goes to a place of its own.
        var target = cic_target(pixels, PixelSize(width: width, height: height), orientation)
        cic_orient(source, &target)
      }
    }
  }

  /// Averaged down to `size` in stored pixels, at most this picture's own on each side. Nil when memory runs out or a side is above
  /// 65,535 pixels.
  package func reduced(to size: PixelSize) -> CGImage? {
    let size = PixelSize(width: max(1, min(size.width, width)), height: max(1, min(size.height, height)))
    guard size.width < width || size.height < height else { return self }
    guard hasPixels else { return nil }
    var isDone = false
    let image = withBytes { source in
      CGImage(width: size.width, height: size.height) { pixels in
        var target = cic_target(pixels, size)
        isDone = cic_reduce(source, UInt32(width), UInt32(height), &target)
      }
    }
    return isDone ? image : nil
  }

  package func hasSamePixels(as other: CGImage) -> Bool {
    guard self !== other else { return true }
    guard width == other.width, height == other.height else { return false }
    return withRGBA { mine in other.withRGBA { mine.elementsEqual($0) } }
  }

  /// Whether there was memory to decode it.
  private var hasPixels: Bool { withRGBA { !$0.isEmpty } }

  private func withBytes<R>(_ body: (UnsafePointer<UInt8>?) -> R) -> R {
    withRGBA { body($0.baseAddress?.assumingMemoryBound(to: UInt8.self)) }
  }
}
