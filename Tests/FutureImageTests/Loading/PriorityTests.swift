import Foundation
import Testing

@testable import FutureImage
@testable import FutureImageTesting

/// The task priorities of transfers.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct PriorityTests {
  /// A fetcher that records the priority of each task that calls it, and the priority that the task gets later.
  private final class PriorityRecorder: FutureImage.Fetcher {
    let held = HeldFetcher()
    let begun = Lock<[String: TaskPriority]>([:])
    let raised = Observed<[String: TaskPriority]>([:])

    func fetch(_ request: FutureImage.Request, receive: @escaping FutureImage.Receive) async throws {
      let name = request.url.deletingPathExtension().lastPathComponent
      begun.withLock { $0[name] = Task.currentPriority }
      #if compiler(>=6.2)
      if #available(iOS 26, tvOS 26, visionOS 26, macCatalyst 26, *) {
        return try await withTaskPriorityEscalationHandler {
          try await held.fetch(request, receive: receive)
        } onPriorityEscalated: { _, new in
          raised.update { $0[name] = new }
        }
      }
      #endif
      try await held.fetch(request, receive: receive)
    }
  }

  private let recorder = PriorityRecorder()

  private func fixture(transfers: Int = 24) -> LoaderFixture {
    let recorder = recorder
    return LoaderFixture {
      $0.fetcher = recorder
      $0.maxTransfers = transfers
      $0.maxTransfersPerHost = transfers
    }
  }

  private func future(_ fixture: LoaderFixture, _ name: String, _ priority: FutureImage.Priority) -> FutureImage {
    FutureImage(at: LoaderFixture.url(name), priority: priority, loader: fixture.loader)
  }

  @Test func `the task priority of a transfer depends on its rank, not on the priority of the task that created the future`() async {
    let fixture = fixture(transfers: 1)
    let (low, normal) = await Task.detached(priority: .background) {
      (
        FutureImage(at: LoaderFixture.url("low"), priority: .low, loader: fixture.loader),
        FutureImage(at: LoaderFixture.url("normal"), loader: fixture.loader)
      )
    }.value
    await recorder.held.waitForHeld()
    let high = future(fixture, "high", .high)
    let awaited = future(fixture, "awaited", .normal)
    let value = Task.detached(priority: .background) { try? await awaited.value }
    await waitWhile(fixture.loader.transferCount < 4 || awaited.waiterCount == 0)
    for _ in 0..<4 {
      await recorder.held.waitForHeld()
      recorder.held.resolve(with: SampleImage.jpeg())
    }
    await fixture.loader.waitForIdle()
    #expect(recorder.begun.withLock { $0 } == ["low": .low, "normal": .medium, "high": .high, "awaited": .high])
    _ = await value.value
    withExtendedLifetime((low, normal, high)) {}
  }

  @Test func `a shown image has high task priority, and other images have the priority that the app chooses`() {
    let ranks = [FutureImage.Priority.low, .normal, .high].map { Rank(reason: .created, priority: $0) }
    #expect(ranks.map(\.taskPriority) == [.low, .medium, .high])
    #expect(Rank(reason: .bound, priority: .low).taskPriority == .high)
    #expect(Rank(reason: .bound, priority: .low) > ranks[2])
  }

  #if compiler(>=6.2)
  @available(iOS 26, tvOS 26, visionOS 26, macCatalyst 26, *)
  @Test func `a running transfer that a background task awaits gets high task priority when a future of high priority joins`() async {
    let fixture = fixture()
    let future = future(fixture, "a", .low)
    await recorder.held.waitForHeld()
    #expect(recorder.begun.withLock { $0["a"] } == .low)
    let waiting = Task.detached(priority: .background) { try? await future.value }
    let other = FutureImage(at: LoaderFixture.url("a"), priority: .high, loader: fixture.loader)
    await recorder.raised.wait { $0["a"] == .high }
    recorder.held.resolve(with: SampleImage.jpeg())
    _ = await waiting.value
    await fixture.loader.waitForIdle()
    withExtendedLifetime(other) {}
  }

  @available(iOS 26, tvOS 26, visionOS 26, macCatalyst 26, *)
  @Test(arguments: [true, false])
  func `a running transfer gets high task priority when its future is awaited or a future of high priority joins`(isAwaited: Bool) async {
    let fixture = fixture()
    let future = future(fixture, "a", .low)
    await recorder.held.waitForHeld()
    let other = isAwaited ? nil : FutureImage(at: LoaderFixture.url("a"), priority: .high, loader: fixture.loader)
    if isAwaited { future.wait(.full) { _ in } }
    await recorder.raised.wait { $0["a"] == .high }
    recorder.held.resolve(with: SampleImage.jpeg())
    await fixture.loader.waitForIdle()
    withExtendedLifetime((future, other)) {}
  }
  #endif

  @Test func `shared work has the highest priority of its waiters`() async throws {
    let tasks = JoinedTasks<String, TaskPriority>()
    let (begun, mayEnd) = (Signal(), Signal())
    let first = Task.detached(priority: .low) {
      try await tasks.value(of: "a") {
        begun.send()
        await mayEnd.wait()
        await waitWhile(Task.currentPriority < .high)
        return Task.currentPriority
      }
    }
    await begun.wait()
    let second = Task.detached(priority: .high) { try await tasks.value(of: "a") { .background } }
    await waitWhile(tasks.state.withLock({ $0.jobs["a"]?.priority }) != .high)
    mayEnd.send()
    #expect(try await first.value == .high)
    #expect(try await second.value == .high)
  }

  @Test func `a URL session gets the nearest priority that it supports`() {
    let (low, medium, high) = (TaskPriority.low.forURLSession, TaskPriority.medium.forURLSession, TaskPriority.high.forURLSession)
    #expect(low < medium && medium < high)
    #expect(medium == 0.5)
    #expect(TaskPriority.background.forURLSession == low)
    // The raw value 33 is the priority of user interaction, which is above `.high`.
    #expect(TaskPriority(rawValue: 33).forURLSession == high)
  }
}
