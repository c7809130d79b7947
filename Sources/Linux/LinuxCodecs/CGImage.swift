import CImageCodecs
import Foundation

/// An immutable bitmap of red, green, blue, and alpha, one byte each, not premultiplied and assumed to be sRGB, with rows from the top and
/// without padding. One allocation of `width * height * 4` bytes. Read it on any thread.
// Unchecked, because of the pointer: the memory is written only in the initializer, before any other code has the object, and freed in
// `deinit`, when no code has it any longer.
public final class CGImage: @unchecked Sendable {
  /// Pixels.
  public let width: Int
  /// Pixels.
  public let height: Int
  private let storage: Storage

  private enum Storage {
    /// Memory that this object owns.
    case pixels(UnsafeMutableRawPointer)
    case copy(of: CGImage)
    case encoded(LazyBitmap)
  }

  /// The number of images decoded on the main thread because their pixels were first read there, a stall that UIKit does not report.
  package static let mainThreadDecodes = Counter()

  /// Bytes from one row to the next: `4 * width`.
  public var bytesPerRow: Int { width * 4 }

  /// Returns nil if a side is below 1, if `rgba` does not have exactly `width * height * 4` bytes, or if memory runs out.
  public convenience init?(width: Int, height: Int, rgba: [UInt8]) {
    guard Self.byteCount(width: width, height: height) == rgba.count else { return nil }
    self.init(width: width, height: height) { $0.copyBytes(from: rgba) }
  }

  /// Lets `body` write all `width * height * 4` bytes, which hold nothing meaningful before. Returns nil if a side is below 1 or memory
  /// runs out. Rethrows errors of `body`.
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

  /// Creates the image in `data`, decoded when its pixels are first read.
  ///
  /// - Parameter size: the size as stored, before the orientation is applied; both sides at least 1.
  package convenience init(decodingLater data: Data, size: PixelSize) {
    self.init(size.width, size.height, .encoded(LazyBitmap(data, size: size)))
  }

  /// Returns this object: Apple documents `copy()` as a copy, and does not say that it is another object.
  public func copy() -> CGImage? { self }

  /// Always sRGB.
  public var colorSpace: CGColorSpace? { .sRGB }

  /// Returns another object with the same pixels, which are shared, not duplicated.
  public func copy(colorSpace: CGColorSpace) -> CGImage? {
    // A copy of a copy would retain the copy.
    if case .copy(let original) = storage { return original.copy(colorSpace: colorSpace) }
    return CGImage(width, height, .copy(of: self))
  }

  /// Whether the pixels can be read without a decode.
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

  /// Calls `body` with the bytes of all rows. They never change or move as long as the image lives. An image that is not decoded yet is
  /// decoded first, on the calling thread. If memory does not suffice for that, `body` gets no bytes.
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

  /// Allocates memory for `count` bytes, all of which are about to be written.
  private static func memory(_ count: Int) -> UnsafeMutableRawPointer? {
    if count >= much {
      let pages = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      guard let pages, pages != MAP_FAILED else { return nil }
      // New memory takes 2.6 times as long to write without huge pages. Where the system has none, nothing changes.
      madvise(pages, count, MADV_HUGEPAGE)
      return pages
    }
    guard let memory = malloc(count) else { return nil }
    // The system maps pages as they are first written, which for a thumbnail takes nearly as long as its decode. Mapping them all at once
    // is cheaper. Large images are excluded: their pages would leave the processor's cache before they are written, and a file may claim to
    // be large. Where the system lacks the call (before Linux 5.14), nothing changes.
    if (1 << 15...1 << 20).contains(count) {
      let page = Int(getpagesize())
      let start = (Int(bitPattern: memory) + page - 1) & ~(page - 1)
      let end = (Int(bitPattern: memory) + count) & ~(page - 1)
      // Whole pages inside the new allocation, which no other code has yet.
      if let pages = UnsafeMutableRawPointer(bitPattern: start), start < end { madvise(pages, end - start, MADV_POPULATE_WRITE) }
    }
    return memory
  }

  /// The size in bytes from which an image has its own pages, which return to the system with it. The heap retains blocks of this size and
  /// more for each thread that frees them. Below it, the heap returns them, and new pages for each image would take nearly as long as its
  /// decode.
  private static let much = 8 << 20

  /// Frees memory that `memory(_:)` allocated for `count` bytes and that is no longer used.
  private static func release(_ memory: UnsafeMutableRawPointer, _ count: Int) {
    if count >= much { munmap(memory, count) } else { free(memory) }
  }

  /// The size in bytes; nil if no memory could hold it, or if the C functions cannot accept the sides.
  private static func byteCount(width: Int, height: Int) -> Int? {
    guard 1...Int(Int32.max) ~= width, 1...Int(Int32.max) ~= height else { return nil }
    let (count, overflows) = (width * height).multipliedReportingOverflow(by: 4)
    return overflows ? nil : count
  }
}

extension CGImage {
  /// Returns the upright bitmap, given this one's orientation; this bitmap if it is already upright; nil if memory runs out.
  package func turned(_ orientation: ExifOrientation) -> CGImage? {
    guard orientation != .up else { return self }
    guard hasPixels else { return nil }
    let size = PixelSize(width: width, height: height).swapped(if: orientation.swapsAxes)
    return withBytes { source in
      CGImage(width: size.width, height: size.height) { pixels in
        // The target has as many bytes as the source, and each stored pixel has its own place in it.
        var target = cic_target(pixels, PixelSize(width: width, height: height), orientation)
        cic_orient(source, &target)
      }
    }
  }

  /// Returns the image averaged down to `size` in stored pixels, at most its own size on each side. Nil if memory runs out or a side is
  /// above 65,535 pixels.
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

  /// Whether memory sufficed to decode it.
  private var hasPixels: Bool { withRGBA { !$0.isEmpty } }

  private func withBytes<R>(_ body: (UnsafePointer<UInt8>?) -> R) -> R {
    withRGBA { body($0.baseAddress?.assumingMemoryBound(to: UInt8.self)) }
  }
}

/// A color space. There is only sRGB.
public final class CGColorSpace: Sendable {
  static let sRGB = CGColorSpace()

  private init() {}
}
