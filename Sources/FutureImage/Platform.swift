// The only place that distinguishes platforms, except for files that belong to one platform as a whole.
#if canImport(UIKit)
@_exported import UIKit
import ImageIO
import UniformTypeIdentifiers
import os

let platformFetcher: any FutureImage.Fetcher = FutureImage.URLSessionFetcher()
func makePlatformDecoder(_ limits: FutureImage.DecodingLimits) -> any DamageReportingDecoder { ImageIODecoder(limits: limits) }
/// The MIME types of the formats that the system decodes.
let platformImageTypes = Set((CGImageSourceCopyTypeIdentifiers() as? [String] ?? []).compactMap { UTType($0)?.preferredMIMEType })

/// Returns a PNG with upright pixels, because a PNG that UIKit writes has no orientation.
func uprightPNG(of image: UIImage) -> Data? {
  guard image.imageOrientation != .up else { return image.pngData() }
  let format = UIGraphicsImageRendererFormat()
  format.scale = image.scale
  return UIGraphicsImageRenderer(size: image.size, format: format).pngData { _ in image.draw(at: .zero) }
}

/// Whether the pixels have no alpha channel.
func isOpaque(_ bitmap: CGImage) -> Bool { [.none, .noneSkipFirst, .noneSkipLast].contains(bitmap.alphaInfo) }

/// Returns the image's pixels, rotated upright; nil if there are none.
func uprightBitmap(of image: UIImage) -> CGImage? {
  if image.imageOrientation == .up, let bitmap = image.cgImage { return bitmap }
  guard image.size.width > 0, image.size.height > 0 else { return nil }
  let format = UIGraphicsImageRendererFormat()
  format.scale = image.scale
  return UIGraphicsImageRenderer(size: image.size, format: format).image { _ in image.draw(at: .zero) }.cgImage
}

/// Writes the text where a developer sees it: in Xcode's console and in Console.
func writePlatformLog(_ text: String) { Logger(subsystem: "FutureImage", category: "warnings").fault("\(text, privacy: .public)") }

#elseif canImport(UIKitStandIn) && !canImport(UIKit)
@_exported import Foundation
@_exported import UIKitStandIn
import CLinuxCalls
import Glibc

let platformFetcher: any FutureImage.Fetcher = FutureImage.CurlFetcher()
func makePlatformDecoder(_ limits: FutureImage.DecodingLimits) -> any DamageReportingDecoder { LinuxDecoder(limits: limits) }
/// The MIME types of the formats that are decoded.
let platformImageTypes = Set(ImageCodecs.formats.map(\.mimeType))
/// Nil: a program that has a user knows its networks by its toolkit, and calls ``FutureImage/Loader/retryFailed()``.
func watchPlatformNetwork(onReturn: @escaping @Sendable () -> Void) -> (any Sendable)? { nil }
func uprightPNG(of image: UIImage) -> Data? { image.pngData() }
/// Whether the alpha of all pixels is 255: there is always an alpha channel.
func isOpaque(_ bitmap: CGImage) -> Bool {
  bitmap.withRGBA { bytes in stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 } }
}
func uprightBitmap(of image: UIImage) -> CGImage? { image.upright }

/// Writes the text where a developer sees it: to standard error.
func writePlatformLog(_ text: String) {
  // Foundation's file handle traps if it cannot write.
  _ = Array((text + "\n").utf8).withUnsafeBytes { clinux_write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

#else
#error(
  "FutureImage needs UIKit (iOS, tvOS, visionOS, Mac Catalyst) or Linux, where its own UIKitStandIn takes UIKit's place; this platform has neither."
)
#endif

/// The time of a file's last write. The field has two names.
func modificationTime(of status: stat) -> timespec {
  #if canImport(Darwin)
  status.st_mtimespec
  #else
  status.st_mtim
  #endif
}
