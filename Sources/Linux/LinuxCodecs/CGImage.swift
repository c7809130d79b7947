import CImageCodecs
import Foundation

/// An immutable bitmap. Each pixel consists of red, green, blue, and alpha, one byte each, in sRGB. The colors are not premultiplied. Rows
/// are stored from the top and without padding, in one allocation of `width * height * 4` bytes. Any thread can read it.
// Unchecked, because of the pointer. It is safe because the memory is written only in the initializer, before any other code has the
// object, and is freed in `deinit`, when no code has the object any longer.
public final class CGImage: @unchecked Sendable {
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  private let storage: Storage

  private enum Storage {
    /// Memory that this object owns, on the heap or in pages of its own.
    case pixels(UnsafeMutableRawPointer, areOwnPages: Bool)
    case copy(of: CGImage)
    case encoded(LazyBitmap)
  }

  /// The number of images that were decoded on the main thread because their pixels were first read there. Such a decode blocks the main
  /// thread, and UIKit does not report it.
  package static let mainThreadDecodes = Counter()

  /// The distance in bytes from one row to the next, which is `4 * width`.
  public var bytesPerRow: Int { width * 4 }

  /// Creates an image with a copy of the bytes. Returns nil if a side is below 1, if `rgba` does not have exactly `width * height * 4`
  /// bytes, or if memory runs out.
  public convenience init?(width: Int, height: Int, rgba: [UInt8]) {
    guard Self.byteCount(width: width, height: height) == rgba.count else { return nil }
    self.init(width: width, height: height) { $0.copyBytes(from: rgba) }
  }

  /// Creates an image whose bytes `body` writes. `body` must write all `width * height * 4` bytes, whose initial values are undefined.
  /// Returns nil if a side is below 1 or memory runs out. Rethrows errors of `body`.
  /// - Parameter isFrame: whether the image is a frame of an animation. Such an image is released soon.
  package init?<Failure: Error>(
    width: Int, height: Int, isFrame: Bool = false, initializing body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    guard let count = Self.byteCount(width: width, height: height) else { return nil }
    let areOwnPages = count >= (isFrame ? Self.muchForFrame : Self.much)
    guard let pixels = areOwnPages ? Self.pages(count) : Self.memory(count) else { return nil }
    do throws(Failure) {
      try body(UnsafeMutableRawBufferPointer(start: pixels, count: count))
    } catch {
      Self.release(pixels, count, areOwnPages: areOwnPages)
      throw error
    }
    self.width = width
    self.height = height
    storage = .pixels(pixels, areOwnPages: areOwnPages)
  }

  private init(_ width: Int, _ height: Int, _ storage: Storage) {
    self.width = width
    self.height = height
    self.storage = storage
  }

  /// Creates the image in `data`, which is decoded when its pixels are first read.
  ///
  /// - Parameter size: the size as stored, before the orientation is applied; both sides at least 1.
  package convenience init(decodingLater data: Data, size: PixelSize) {
    self.init(size.width, size.height, .encoded(LazyBitmap(data, size: size)))
  }

  /// Returns this object. Apple documents that `copy()` returns a copy, but does not say that the copy is another object.
  public func copy() -> CGImage? { self }

  /// The color space, which is always sRGB.
  public var colorSpace: CGColorSpace? { .sRGB }

  /// Returns another object that shares these pixels and does not duplicate them.
  public func copy(colorSpace: CGColorSpace) -> CGImage? {
    // The original is copied, because a copy of a copy would retain the first copy.
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
    if case .pixels(let pixels, let areOwnPages) = storage { Self.release(pixels, width * height * 4, areOwnPages: areOwnPages) }
  }

  /// Calls `body` with the bytes of all rows. The bytes do not change or move as long as the image exists. If the image is not decoded yet,
  /// the calling thread decodes it first. If memory does not suffice for the decode, `body` gets no bytes.
  public func withRGBA<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    switch storage {
    case .copy(let original): return try original.withRGBA(body)
    case .encoded(let bitmap):
      guard let image = bitmap.image else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
      return try image.withRGBA(body)
    case .pixels(let pixels, _):
      return try withExtendedLifetime(self) { try body(UnsafeRawBufferPointer(start: pixels, count: width * height * 4)) }
    }
  }

  /// Gets pages of the system for `count` bytes. The caller must be about to write all of them.
  private static func pages(_ count: Int) -> UnsafeMutableRawPointer? {
    let pages = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let pages, pages != MAP_FAILED else { return nil }
    // Without huge pages, writing new memory takes 2.6 times as long. If the system has no huge pages, the call has no effect. Smaller
    // memory belongs to a frame of an animation. Its pages are all mapped at once, for the reason that `memory(_:)` gives.
    madvise(pages, count, count >= much ? MADV_HUGEPAGE : populateWrite)
    return pages
  }

  /// Allocates memory for `count` bytes on the heap. The caller must be about to write all of them.
  private static func memory(_ count: Int) -> UnsafeMutableRawPointer? {
    guard let memory = malloc(count) else { return nil }
    // The system maps each page when it is first written, which for a thumbnail takes nearly as long as its decode. Mapping all pages at
    // once is cheaper. Large images are excluded for two reasons: their pages would leave the processor's cache before they are written,
    // and a damaged file may declare a large size without having so many pixels. Before Linux 5.14, the system does not support the call,
    // which then has no effect.
    if (1 << 15...1 << 20).contains(count) {
      let page = Int(getpagesize())
      let start = (Int(bitPattern: memory) + page - 1) & ~(page - 1)
      let end = (Int(bitPattern: memory) + count) & ~(page - 1)
      // These are whole pages inside the new allocation, which no other code has yet.
      if let pages = UnsafeMutableRawPointer(bitPattern: start), start < end { madvise(pages, end - start, populateWrite) }
    }
    return memory
  }

  /// The smallest size in bytes for which an image gets pages of its own. These pages return to the system when the image is released,
  /// while the heap would retain such large blocks for each thread that frees them. The heap returns smaller blocks to the system. For a
  /// smaller image, getting new pages would take nearly as long as its decode.
  private static let much = 8 << 20

  /// The smallest size in bytes for which a frame of an animation gets pages of its own. Several threads decode the frames, and each frame
  /// is released soon. The heap would retain the memory of about four more frames for these threads, as much as the frames in use take.
  /// Getting new pages takes one to two percent of a processor at 25 frames of 800 × 600 pixels per second.
  private static let muchForFrame = 256 << 10

  /// `MADV_POPULATE_WRITE` of the kernel's headers, which musl 1.2.3 does not declare.
  private static let populateWrite: Int32 = 23

  /// Frees memory that `pages(_:)` or `memory(_:)` allocated for `count` bytes and that is no longer used.
  private static func release(_ memory: UnsafeMutableRawPointer, _ count: Int, areOwnPages: Bool) {
    if areOwnPages { munmap(memory, count) } else { free(memory) }
  }

  /// Returns the size in bytes; nil if it is too large for any memory, or if the C functions cannot accept the sides.
  private static func byteCount(width: Int, height: Int) -> Int? {
    guard 1...Int(Int32.max) ~= width, 1...Int(Int32.max) ~= height else { return nil }
    let (count, overflows) = (width * height).multipliedReportingOverflow(by: 4)
    return overflows ? nil : count
  }
}

extension CGImage {
  /// Returns the upright bitmap, or this bitmap if it is already upright. `orientation` is the orientation of this bitmap. Returns nil if
  /// memory runs out.
  package func turned(_ orientation: ExifOrientation) -> CGImage? {
    guard orientation != .up else { return self }
    guard hasPixels else { return nil }
    let size = PixelSize(width: width, height: height).swapped(if: orientation.swapsAxes)
    return withBytes { source in
      CGImage(width: size.width, height: size.height) { pixels in
        // The target has as many bytes as the source, and each pixel of the source has its own position in the target.
        var target = cic_target(pixels, PixelSize(width: width, height: height), orientation)
        cic_orient(source, &target)
      }
    }
  }

  /// Returns the image reduced to `size`, which is in stored pixels. A side that is longer than the image's own side is shortened to that
  /// side. Returns nil if memory runs out or a side of the image is above 65,535 pixels.
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

  /// Whether the pixels are available, that is, whether memory sufficed to decode them.
  private var hasPixels: Bool { withRGBA { !$0.isEmpty } }

  private func withBytes<R>(_ body: (UnsafePointer<UInt8>?) -> R) -> R {
    withRGBA { body($0.baseAddress?.assumingMemoryBound(to: UInt8.self)) }
  }
}

/// A color space, which is always sRGB.
public final class CGColorSpace: Sendable {
  static let sRGB = CGColorSpace()

  private init() {}
}
