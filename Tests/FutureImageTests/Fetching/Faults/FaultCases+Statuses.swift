import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

extension FaultCase {
  /// Responses with an error status. By default, a loader makes three attempts if each attempt fails temporarily.
  static let statuses: [FaultCase] = [
    FaultCase(1, "4xx; 401 with headers that can be renewed") { scene in
      for code in [400, 401, 403, 404, 410, 451] {
        try await scene.expectFailure("/a", .status(code), as: .exactly(.status(code)), requests: 1)
      }
      try await renewal(scene)
      return "status(…) at once; headers renewed once"
    },
    FaultCase(2, "408, 429 and 5xx") { scene in
      for code in [408, 429, 500, 502, 503, 504] {
        try await scene.expectFailure("/a", .status(code), as: .exactly(.status(code)), requests: 3)
        try await scene.expectPicture("/\(code)", .status(code), .status(code), FaultScene.good, requests: 3)
      }
      let waits = scene.clock.waits
      #expect(waits.count == 24)
      for (index, wait) in waits.enumerated() { #expect(wait <= .milliseconds(index % 2 == 0 ? 200 : 400)) }
      #expect(Set(waits).count > 12, "the waits have no jitter")
      return "3 attempts, then status(…) or the image"
    },
    FaultCase(3, "Retry-After, in seconds and as a date") { scene in
      try await scene.expectPicture("/seconds", .status(503, headers: ["Retry-After": "7"]), FaultScene.good, requests: 2)
      #expect(Set(scene.clock.waits) == [.seconds(7)])
      for (index, format) in ["EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEEE, dd-MMM-yy HH:mm:ss 'GMT'", "EEE MMM d HH:mm:ss yyyy"].enumerated() {
        let before = scene.clock.waits.count
        let field = httpDate(Date().addingTimeInterval(20), format)
        try await scene.expectPicture("/\(index)", .status(429, headers: ["Retry-After": field]), FaultScene.good, requests: 2)
        // The transfer and its host wait separately. When the first of these waits has ended, the clock may record the short rest of the
        // other one as another wait.
        let waits = scene.clock.waits[before...]
        #expect(waits.contains { $0 > .seconds(5) } && waits.allSatisfy { $0 <= .seconds(20) }, "\(field)")
      }
      let tooLong = LoopbackServer.Answer.status(503, headers: ["Retry-After": "3600"])
      try await scene.expectFailure("/later", tooLong, as: .exactly(.status(503)), requests: 1)
      scene.server.answer("/asked", tooLong)
      let future = FutureImage(at: scene.server.url("/asked"), loader: scene.makeLoader())
      let failure = await #expect(throws: FutureImage.Failure.self) { _ = try await future.value }
      #expect(failure?.retryAfter == .seconds(3600))
      return "waits as the server demands, up to 30 s"
    }
  ]

  /// Expects that the source's closure is called once more after a 401, and not again after the next 401.
  private static func renewal(_ scene: FaultScene) async throws {
    let calls = Lock(0)
    let source = FutureImage.Source.url(scene.server.url("/signed"), key: "signed") {
      ["Authorization": "Bearer \(calls.withLock { $0 += 1; return $0 })"]
    }
    scene.server.resetLog()
    scene.server.answer("/signed", .status(401), FaultScene.good)
    try await scene.expectPicture(source, requests: 2, scene.makeLoader())
    #expect(scene.server.requests.map { $0.headers["Authorization"] } == ["Bearer 1", "Bearer 2"])
    try await scene.disk.remove(forKey: "signed")

    scene.server.answer("/signed", .status(401))
    try await scene.expectFailure(source, as: .exactly(.status(401)), requests: 2, scene.makeLoader())
    #expect(calls.withLock { $0 } == 4)
  }

  private static func httpDate(_ date: Date, _ format: String) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = format
    return formatter.string(from: date)
  }
}
