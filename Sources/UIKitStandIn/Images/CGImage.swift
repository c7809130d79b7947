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
  private let pixels: UnsafeMutableRawPointer

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
      free(pixels)
      throw error
    }
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  deinit {
    free(pixels)
  }

  /// Calls `body` with the bytes of all rows. They never change, and stay where they are as long as the image lives.
  public func withRGBA<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try withExtendedLifetime(self) {
      try body(UnsafeRawBufferPointer(start: pixels, count: width * height * 4))
    }
  }

  /// Room for so many bytes, each of which is about to be written.
  private static func memory(_ count: Int) -> UnsafeMutableRawPointer? {
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

  /// Nil for sizes that no memory could hold, and for sides that the C entries could not take.
  private static func byteCount(width: Int, height: Int) -> Int? {
    guard 1...Int(Int32.max) ~= width, 1...Int(Int32.max) ~= height else { return nil }
    let (count, overflows) = (width * height).multipliedReportingOverflow(by: 4)
    return overflows ? nil : count
  }
}

extension CGImage {
  /// Upright, for a bitmap whose orientation this is. Itself if there is nothing to turn; nil when memory runs out.
  package func turned(_ orientation: UIImage.Orientation) -> CGImage? {
    guard orientation != .up else { return self }
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

  private func withBytes<R>(_ body: (UnsafePointer<UInt8>?) -> R) -> R {
    withRGBA { body($0.baseAddress?.assumingMemoryBound(to: UInt8.self)) }
  }
}
