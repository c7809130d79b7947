import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The environment of a case: a server, a disk cache, and loaders whose waits end at once.
final class FaultScene: Sendable {
  typealias Failure = FutureImage.Failure
  typealias Answer = LoopbackServer.Answer

  /// An encoded image of about 100 KB.
  static let body = SampleImage.noise(400, 300)
  static let good = Answer.ok(body, contentType: "image/jpeg")

  let backend: HTTPBackend
  let server: LoopbackServer
  let clock = PassingClock()
  let disk = FutureImage.DiskCache.temporary()

  init(_ backend: HTTPBackend) throws {
    self.backend = backend
    server = try LoopbackServer()
  }

  func makeLoader(
    _ fetcher: (any FutureImage.Fetcher)? = nil, change: (inout FutureImage.Loader.Configuration) -> Void = { _ in }
  ) -> FutureImage.Loader {
    var configuration = FutureImage.Loader.Configuration()
    // The cases request an image again at once after a failure.
    configuration.retry.transientFailureMemory = .zero
    configuration.fetcher = fetcher ?? backend.makeFetcher()
    configuration.diskCache = disk
    configuration.clock = clock
    configuration.ignoreSuspensions()
    change(&configuration)
    return FutureImage.Loader(configuration)
  }

  /// Expects that the image arrives after the given number of requests to the path, and that the disk cache then has the given body. The
  /// server sends each answer once, except for the last, which repeats.
  @discardableResult
  func expectPicture(
    _ path: String, _ answers: Answer..., requests: Int, body: Data = FaultScene.body,
    change: (inout FutureImage.Loader.Configuration) -> Void = { _ in }
  ) async throws -> String {
    server.resetLog()
    server.answer(path, answers)
    return try await expectPicture(.url(server.url(path)), requests: requests, body: body, makeLoader(change: change))
  }

  @discardableResult
  func expectPicture(
    _ source: FutureImage.Source, requests: Int, body: Data = FaultScene.body, _ loader: FutureImage.Loader
  ) async throws -> String {
    let future = FutureImage(source, loader: loader)
    let image = try await future.value
    await loader.waitForIdle()
    #expect(image.cgImage?.width == UIImage(data: body)?.cgImage?.width)
    // The disk cache stores no copy of a file.
    #expect(try await disk.entry(forKey: source.key)?.body == (source.isFile ? nil : body))
    #expect(loader.statistics.requests == requests)
    return "image"
  }

  /// Expects the path's answers to cause one failure after the given number of requests, and to leave nothing in the disk cache. The server
  /// sends each answer once, except for the last, which repeats.
  @discardableResult
  func expectFailure(
    _ path: String, _ answers: Answer..., as expected: Expected, requests: Int,
    change: (inout FutureImage.Loader.Configuration) -> Void = { _ in }
  ) async throws -> String {
    server.resetLog()
    server.answer(path, answers)
    let source = FutureImage.Source.url(server.url(path))
    let outcome = try await expectFailure(source, as: expected, requests: requests, makeLoader(change: change))
    // If a request timed out, the server may not have read it yet.
    await server.waitForRequests(requests)
    #expect(server.requestCount() == requests)
    // A new loader with the same cache does not remember the failure.
    server.answer(path, Self.good)
    try await expectPicture(source, requests: 1, makeLoader())
    try await disk.remove(forKey: source.key)
    return outcome
  }

  @discardableResult
  func expectFailure(
    _ source: FutureImage.Source, as expected: Expected, requests: Int, _ loader: FutureImage.Loader
  ) async throws -> String {
    let future = FutureImage(source, loader: loader)
    // The value is not awaited, because awaiting it after a transient failure would start a new request.
    await loader.waitForIdle()
    let failure = try #require(future.failure)
    let reason = failure.reason
    #expect(expected.allows(reason, by: backend), "\(reason)")
    #expect(failure.isTransient == expected.isTransient)
    #expect(loader.statistics.requests == requests)
    #expect(loader.statistics.failures == 1)
    #expect(try await disk.entry(forKey: source.key) == nil)
    return "\(reason)".replacing("FutureImage.FutureImage.Failure.Transport.", with: "")
  }
}

extension FaultScene {
  /// The expected reason of a failure, or a kind of reason whose text does not matter.
  enum Expected: Sendable {
    case exactly(Failure.Reason)
    case oneOf([Failure.Reason])
    case malformed, refused, undecodable

    static func transport(_ fault: Failure.Transport) -> Expected { .exactly(.transport(fault)) }

    var isTransient: Bool {
      switch self {
      case .exactly(let reason): Failure(reason).isTransient
      case .oneOf(let reasons): reasons.allSatisfy { Failure($0).isTransient }
      case .malformed, .refused, .undecodable: false
      }
    }

    func allows(_ reason: Failure.Reason, by backend: HTTPBackend) -> Bool {
      switch self {
      case .exactly(.transport(let fault)) where backend.hasOneErrorCode && fault != .timedOut && fault != .stalled: reason.isTransport
      case .exactly(let expected): reason == expected
      case .oneOf(let all): all.contains(reason)
      case .malformed: reason.isMalformed
      case .refused: reason.isRefused
      case .undecodable: reason.isUndecodable
      }
    }
  }
}

extension HTTPBackend {
  /// Whether the fetcher reports every transport fault with the same code, as URLSession of swift-corelibs-foundation does.
  var hasOneErrorCode: Bool {
    #if canImport(FoundationNetworking) && !canImport(UIKit)
    self == .urlSession
    #else
    false
    #endif
  }
}
