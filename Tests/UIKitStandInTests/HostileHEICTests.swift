import Foundation
import Testing
import UIKitStandIn

/// Files that make libheif 1.15 or libde265 1.0.11 take much time or memory, recurse without end, or decode something other than a still
/// image. Each file has at most 25 kilobytes. `Tests/Fuzz/bombs` measures the time and the memory that the refusals take.
@Suite("Hostile HEICs", .enabled(if: HEICDecodingTests.isInstalled), .timeLimit(.minutes(5)))
struct HostileHEICTests {
  enum Kind {
    case truncated, corrupt, unsupported, tooLarge
  }

  static let files: [(name: String, kind: Kind, text: String)] = [
    ("alpha-of-other-size", .corrupt, "the HEIC's alpha and its colors differ in size"),
    ("av1", .unsupported, "a HEIC whose image is not HEVC"),
    ("data-beyond-file", .truncated, "the file ends before the image does"),
    ("data-beyond-idat", .truncated, "the file ends before the image does"),
    ("data-in-item", .unsupported, "an image whose data is in another file or item"),
    ("grid-beyond-tiles", .corrupt, "the tiles of the HEIC's grid do not cover the image"),
    ("grid-of-different-tiles", .corrupt, "the tiles of the HEIC's grid differ in size or in samples"),
    ("grid-of-grids", .unsupported, "a HEIC whose image is not HEVC"),
    ("grid-of-itself", .unsupported, "a HEIC whose image is not HEVC"),
    ("grid-of-turned-tiles", .unsupported, "a HEIC whose tiles are turned or cropped"),
    ("grid-with-fewer-tiles", .corrupt, "the HEIC's grid is broken"),
    ("grid-with-large-tiles", .tooLarge, "a HEIC with tiles of 5000 × 5000 pixels; raise DecodingLimits.maxBytes"),
    ("grid-with-many-pixels", .tooLarge, "30720 × 30720 pixels; raise DecodingLimits.maxPixels if each side has at most 65535"),
    ("grid-with-shared-data", .corrupt, "the HEIC's image uses the same data many times"),
    ("grid-with-too-many-tiles", .tooLarge, "a HEIC with more tiles than allowed"),
    ("grid-with-unused-tiles", .corrupt, "the tiles of the HEIC's grid do not cover the image"),
    ("grid-without-pixels", .corrupt, "the tiles of the HEIC's grid do not cover the image"),
    ("identity-of-itself", .unsupported, "a HEIC whose image is not HEVC"),
    ("large-sets", .unsupported, "a HEIC with large parameter sets"),
    ("length-beyond-data", .corrupt, "the HEIC's image is broken"),
    ("many-sets", .unsupported, "a HEIC with many parameter sets"),
    ("many-slices", .tooLarge, "a HEIC with more slices than allowed, or with little data for its pixels"),
    ("no-sets", .corrupt, "the HEIC has no SPS"),
    ("no-slices", .corrupt, "the HEIC's image is empty"),
    ("overlapping-extents", .corrupt, "the HEIC's image uses the same data many times"),
    ("overlay", .unsupported, "a HEIC whose image is not HEVC"),
    ("picture-larger-than-size", .corrupt, "the size of the HEIC's image differs from the size in its SPS"),
    ("predicted-picture", .corrupt, "the HEIC's image is not a still image"),
    ("primary-is-missing", .corrupt, "the HEIC has no primary image"),
    ("repeated-slices", .corrupt, "the HEIC's image is not a still image"),
    ("sequence-only", .unsupported, "a HEIC that has a sequence of images, and no still image"),
    ("size-larger-than-picture", .corrupt, "the size of the HEIC's image differs from the size in its SPS"),
    ("slices-of-many-pixels", .tooLarge, "a HEIC with more slices than allowed, or with little data for its pixels"),
    ("split-without-data", .tooLarge, "a HEIC with more slices than allowed, or with little data for its pixels"),
    ("too-many-pixels", .tooLarge, "16384 × 16384 pixels; raise DecodingLimits.maxPixels if each side has at most 65535"),
    ("too-much-memory", .tooLarge, "a HEIC with tiles of 8192 × 8192 pixels; raise DecodingLimits.maxBytes"),
    ("trailing-picture", .corrupt, "the HEIC's image is not a still image"),
    ("two-pictures", .corrupt, "the HEIC's image is not a still image"),
    ("two-sequences", .unsupported, "a HEIC with several SPS"),
    ("window-hides-picture", .tooLarge, "a HEIC with tiles of 96 × 64 pixels; raise DecodingLimits.maxBytes"),
    ("window-larger-than-picture", .corrupt, "the HEIC's SPS is broken")
  ]

  @Test(arguments: files)
  func `a hostile HEIC is refused, and the error says why`(name: String, kind: Kind, text: String) throws {
    let expected: CodecError =
      switch kind {
      case .truncated: .truncated(text)
      case .corrupt: .corrupt(text)
      case .unsupported: .unsupported(text)
      case .tooLarge: .tooLarge(text)
      }
    #expect(throws: expected) {
      try ImageCodecs.decode(Fixture.data("heic/hostile/\(name).heic"), size: PixelSize(width: 64, height: 64))
    }
  }

  @Test func `every hostile file is tested`() {
    #expect(Fixture.names(in: "heic/hostile", extension: "heic") == Self.files.map { $0.name + ".heic" }.sorted())
  }
}
