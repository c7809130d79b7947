import Foundation
import Testing
import UIKitStandIn

@Suite("Damaged input", .timeLimit(.minutes(5)))
struct DamagedInputTests {
  static let jpegs = JPEGDecodingTests.names.map { "jpeg/" + $0 }
  static let others =
    ["still", "interlaced", "local-palette"].map { "gif/\($0).gif" }
    + ["lossy", "lossy-alpha", "lossless", "icc-exif", "exif-6", "animated", "animated-small-first"].map { "webp/\($0).webp" }
  static let pngs = ["basn2c08", "basi6a16", "basn3p02", "tbbn0g04", "s01n3p01", "exif2c08"].map { "pngsuite/\($0).png" }

  private func error(of data: Data, size: PixelSize? = nil) -> CodecError? {
    do throws(CodecError) {
      _ = try ImageCodecs.decode(data, size: size)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: jpegs + pngs + others)
  func `a file that ends early throws a truncation error, wherever it ends`(path: String) throws {
    let data = try Fixture.data(path)
    // The last two bytes of a JPEG or a GIF only mark its end. Padding bits may precede these bytes. After the pixels, a PNG has the end of
    // the compressed data, two checksums, and IEND. The first `needed` bytes or
    // fewer do not contain all pixels.
    let needed = path.hasSuffix(".jpg") || path.hasSuffix(".gif") ? data.count - 3 : data.count - (path.hasSuffix(".png") ? 24 : 1)
    for count in 12...needed {
      for size in [nil, PixelSize(width: 5, height: 5)] {
        let error = error(of: Data(data.prefix(count)), size: size)
        guard case .truncated = error else {
          Issue.record("\(count) of \(data.count) bytes, \(size == nil ? "whole" : "reduced"): \(String(describing: error))")
          continue
        }
      }
    }
    #expect(error(of: data) == nil)
  }

  @Test func `a fixture that is cut off at any multiple of 64 bytes is refused or decodes to the whole image`() throws {
    var (failures, pictures) = (0, 0)
    for folder in ["jpeg", "exif", "pngsuite", "gif", "webp", "avif", "heic"] {
      let ending = ["jpeg": "jpg", "exif": "jpg", "pngsuite": "png"][folder] ?? folder
      for name in Fixture.names(in: folder, extension: ending) {
        let data = try Fixture.data("\(folder)/\(name)")
        let whole = try? ImageCodecs.decode(data)
        for count in stride(from: 64, to: data.count, by: 64) {
          guard let image = try? ImageCodecs.decode(data.prefix(count)) else {
            failures += 1
            continue
          }
          pictures += 1
          #expect(try image.hasSamePixels(as: #require(whole)), "\(name) at \(count)")
        }
      }
    }
    #expect(failures > 2_000 && pictures < 120, "\(failures) failures, \(pictures) images")
  }

  @Test(arguments: ["gif/dispose-clear.gif", "webp/animated.webp"])
  func `an animation that ends early throws a truncation error, unless it ends between two frames`(path: String) throws {
    let data = try Fixture.data(path)
    let whole = try #require(try ImageCodecs.animation(of: data)).frames
    var gaps = 0
    for count in 12..<data.count {
      do throws(CodecError) {
        let frames = try ImageCodecs.animation(of: data.prefix(count))?.frames ?? []
        #expect(zip(frames, whole).allSatisfy { $0.image.hasSamePixels(as: $1.image) })
        _ = try ImageCodecs.decode(data.prefix(count))
        gaps += 1
      } catch {
        guard case .truncated = error else { throw error }
      }
    }
    // Only a GIF can end between two frames, because it does not declare its length.
    #expect(gaps < 2 * whole.count + 1 && (gaps == 0 || path.hasSuffix("gif")))
  }

  @Test(arguments: jpegs.filter { !$0.contains("arithmetic") })
  func `a JPEG that lacks only its end marker decodes to the same pixels as the whole file`(path: String) throws {
    let data = try Fixture.data(path)
    let image = try ImageCodecs.decode(data.dropLast(2))
    #expect(try image.hasSamePixels(as: ImageCodecs.decode(data)))
  }

  @Test(arguments: ["progressive", "gray-progressive", "separate-scans"])
  func `a progressive JPEG that ends before its last scan throws a truncation error`(name: String) throws {
    let data = try Fixture.data("jpeg/\(name).jpg")
    let last = try #require(data.range(of: Data([0xFF, 0xDA]), options: .backwards))
    let cut = Data(data[..<last.lowerBound])
    guard case .truncated = error(of: cut) else {
      Issue.record("\(String(describing: error(of: cut)))")
      return
    }
    // With an end marker, the same bytes are a complete file with fewer scans.
    #expect(error(of: cut + [0xFF, 0xD9]) == nil)
  }

  @Test(arguments: jpegs + pngs + others)
  func `a file with random changes decodes to a size within the limit or is refused, without a crash`(path: String) throws {
    let data = try Fixture.data(path)
    var state: UInt32 = 1
    func next(_ bound: Int) -> Int {
      state = state &* 1_664_525 &+ 1_013_904_223
      return Int(state >> 8) % bound
    }
    var limits = CodecLimits()
    limits.maxPixels = 1_000_000
    for round in 0..<200 {
      var copy = data
      for _ in 0...(round % 4) { copy[next(copy.count)] = UInt8(next(256)) }
      do throws(CodecError) {
        let image = try ImageCodecs.decode(copy, size: round % 2 == 0 ? nil : PixelSize(width: 11, height: 7), limits: limits)
        #expect(image.width >= 1 && image.height >= 1 && image.width * image.height <= limits.maxPixels)
      } catch {
        #expect(error != .unrecognized || ImageFormat.sniff(copy) == nil)
      }
    }
  }
}
