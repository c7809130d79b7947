import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

extension FaultCase {
  /// Bodies with a wrong type, content, coding, or length.
  static let contents: [FaultCase] = [
    FaultCase(14, "a wrong Content-Type") { scene in
      for (index, type) in ["text/html", "image/png", "application/octet-stream", "nonsense"].enumerated() {
        try await scene.expectPicture("/\(index)", .ok(FaultScene.body, contentType: type), requests: 1)
      }
      return try await scene.expectPicture("/none", .ok(FaultScene.body), requests: 1)
    },
    FaultCase(15, "HTML as an image") { scene in
      try await scene.expectFailure(
        "/a", .ok(Data("<!DOCTYPE html><html>Not found</html>".utf8), contentType: "image/jpeg"), as: .undecodable, requests: 1)
    },
    FaultCase(16, "gzip and br") { scene in
      let (gzip, brotli) = (coded(Samples.pictureGzip, "gzip"), coded(Samples.pictureBrotli, "br"))
      try await scene.expectPicture("/gzip", gzip, requests: 1, body: Samples.picture)
      try await scene.expectPicture("/chunked", brotli.chunked(7), requests: 1, body: Samples.picture)
      return try await scene.expectPicture("/br", brotli, requests: 1, body: Samples.picture)
    },
    FaultCase(17, "truncated or invalid gzip and br", corelibsFault: "takes truncated gzip for a whole body") { scene in
      for (name, body) in [("gzip", Samples.pictureGzip), ("br", Samples.pictureBrotli)] {
        try await scene.expectFailure("/\(name)", coded(body.prefix(60), name), as: .transport(.truncated), requests: 3)
        try await scene.expectFailure("/\(name)1", coded(body.dropLast(), name), as: .transport(.truncated), requests: 3)
        try await scene.expectFailure("/\(name)2", coded(FaultScene.body, name), as: .malformed, requests: 1)
      }
      return "transport(truncated), or malformed(…)"
    },
    FaultCase(18, "a gzip bomb", corelibsFault: "receives more of a body than the limit") { scene in
      await FaultMemory.expectSmall()
      return try await scene.expectFailure(
        "/a", coded(GzipBomb.data(byteCount: 64 << 20), "gzip"), as: .exactly(.tooLarge(limit: 4 << 20)), requests: 1
      ) { $0.maxBytes = 4 << 20 }
    },
    FaultCase(19, "an absurd Content-Length", corelibsFault: "ends the process at a length of 2⁶³ − 1") { scene in
      for length in ["9223372036854775807", "1099511627776"] {
        try await scene.expectFailure(
          "/a", FaultScene.good.declaring(contentLength: length), as: .exactly(.tooLarge(limit: 64 << 20)), requests: 1)
      }
      return "tooLarge(limit: 67108864), when the head arrives"
    },
    FaultCase(20, "no body, 204") { scene in
      try await scene.expectFailure("/b", .status(204), as: .exactly(.empty), requests: 1)
      return try await scene.expectFailure("/a", .ok(Data(), contentType: "image/jpeg"), as: .exactly(.empty), requests: 1)
    }
  ]

  private static func coded(_ body: Data, _ coding: String) -> LoopbackServer.Answer {
    .ok(body, contentType: "image/png", headers: ["Content-Encoding": coding])
  }
}
