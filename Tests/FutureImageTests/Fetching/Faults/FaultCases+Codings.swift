import Foundation
import FutureImageTesting

@testable import FutureImage

extension FaultCase {
  #if canImport(UIKit)
  private static let obstacle: String? = "URLSession decodes any number of codings by itself"
  #else
  private static let obstacle: String? = nil
  #endif

  /// Bodies with several content codings. At most two codings are decoded.
  static let codings: [FaultCase] = [
    FaultCase(49, "an image in three codings", corelibsFault: "decodes up to five codings", missing: obstacle) { scene in
      let body = Brotli.stored(Brotli.stored(Samples.pictureGzip))
      try await scene.expectPicture(
        "/two", .ok(Brotli.stored(Samples.pictureGzip), headers: ["Content-Encoding": "gzip, br"]), requests: 1, body: Samples.picture)
      return try await scene.expectFailure(
        "/three", .ok(body, headers: ["Content-Encoding": "gzip, br, br"]), as: .malformed, requests: 1)
    }
  ]
}
