// The one place where platforms are told apart, but for files that belong to one platform as a whole.
#if canImport(UIKit)
@_exported import UIKit
import os

let platformFetcher: any FutureImage.Fetcher = FutureImage.URLSessionFetcher()
func makePlatformDecoder(_ limits: FutureImage.DecodingLimits) -> any DamageReportingDecoder {
  ImageIODecoder(limits: limits).reportingDamage
}

/// As UIKit writes it, a PNG knows no orientation: it is its pixels that are turned.
func uprightPNG(of image: UIImage) -> Data? {
  guard image.imageOrientation != .up else { return image.pngData() }
  let format = UIGraphicsImageRendererFormat()
  format.scale = image.scale
  return UIGraphicsImageRenderer(size: image.size, format: format).pngData { _ in image.draw(at: .zero) }
}

/// The image's pixels, turned upright; nil where there are none.
func uprightBitmap(of image: UIImage) -> CGImage? {
  if image.imageOrientation == .up, let bitmap = image.cgImage { return bitmap }
  guard image.size.width > 0, image.size.height > 0 else { return nil }
  let format = UIGraphicsImageRendererFormat()
  format.scale = image.scale
  return UIGraphicsImageRenderer(size: image.size, format: format).image { _ in image.draw(at: .zero) }.cgImage
}

/// Where a developer sees it: in Xcode's console, and in Console.
func writePlatformLog(_ text: String) { Logger(subsystem: "FutureImage", category: "warnings").fault("\(text, privacy: .public)") }

#elseif canImport(UIKitStandIn) && !canImport(UIKit)
@_exported import Foundation
@_exported import UIKitStandIn
import CLinuxCalls
import Glibc

let platformFetcher: any FutureImage.Fetcher = FutureImage.CurlFetcher()
func makePlatformDecoder(_ limits: FutureImage.DecodingLimits) -> any DamageReportingDecoder { LinuxDecoder(limits: limits) }
func uprightPNG(of image: UIImage) -> Data? { image.pngData() }
func uprightBitmap(of image: UIImage) -> CGImage? { image.upright }

/// Where a developer sees it: on standard error.
func writePlatformLog(_ text: String) {
  // Foundation's file handle traps where nothing can be written.
  _ = Array((text + "\n").utf8).withUnsafeBytes { clinux_write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

#else
#error(
  "FutureImage needs UIKit (iOS, tvOS, visionOS, Mac Catalyst) or Linux, where its own UIKitStandIn takes UIKit's place; this platform has neither."
)
#endif

/// When a file was last written to; the field has two names.
func modificationTime(of status: stat) -> timespec {
  #if canImport(Darwin)
  status.st_mtimespec
  #else
  status.st_mtim
  #endif
}
