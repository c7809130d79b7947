#if !canImport(CoreGraphics)
func canEncode(_ format: FutureImage.Encoding.Format) -> Bool { ImageCodecs.writableFormats.contains(ImageFormat(format)) }

/// - Parameter original: the file whose EXIF data is copied if the encoding keeps EXIF data; nil for none.
func makePlatformWriter(
  _ encoding: FutureImage.Encoding, _ size: FutureImage.PixelSize, frames: Int, playCount: Int, exifOf original: Data?
) throws -> any PlatformWriter {
  try mappingCodecErrors {
    LinuxWriter(
      writer: try ImageWriter(
        format: ImageFormat(encoding.format), width: size.width, height: size.height, quality: encoding.effectiveQuality,
        isAnimated: frames > 1, plays: playCount, exif: encoding.keepsEXIF ? original.flatMap { try ImageCodecs.exif(of: $0) } : nil))
  }
}

/// A writer that uses libjpeg-turbo, libpng, libwebp, or libavif, which it calls through the module `LinuxCodecs`.
private struct LinuxWriter: PlatformWriter {
  let writer: ImageWriter

  func add(_ bitmap: CGImage, for seconds: TimeInterval) throws {
    try mappingCodecErrors { try writer.add(bitmap, milliseconds: Int((seconds * 1_000).rounded())) }
  }

  func finish() throws -> Data { try mappingCodecErrors { try writer.finish() } }
}

extension ImageFormat {
  fileprivate init(_ format: FutureImage.Encoding.Format) {
    self =
      switch format {
      case .jpeg: .jpeg
      case .png: .png
      case .webp: .webp
      case .avif: .avif
      }
  }
}
#endif
