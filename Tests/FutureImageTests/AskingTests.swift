import Foundation
import FutureImageTesting
import Observation
import Testing

@testable import FutureImage

/// The results that a future delivers to its waiters and observers.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct AskingTests {
  let fixture = LoaderFixture()

  @Test func `a future's value is the image at full size, and value(fitting:) may return fewer pixels`() async throws {
    let future = fixture.future()
    await fixture.held.waitForRequests()
    async let small = future.value(fitting: .fit(width: 150, height: 150))
    async let whole = future.value
    fixture.held.resolve(with: SampleImage.jpeg(1200, 900))
    let (thumbnail, picture) = try await (small, whole)
    #expect(picture.cgImage?.width == 1200)
    // If the full size is decoded first, the smaller request gets those pixels, too.
    #expect([150, 1200].contains(thumbnail.cgImage?.width))
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `a task that awaits a future's value gets the value while the main thread is blocked`() async throws {
    let future = fixture.future()
    await fixture.held.waitForRequests()
    try await MainActor.run {
      let done = DispatchSemaphore(value: 0)
      let result = Lock<Result<UIImage, any Error>?>(nil)
      Task.detached {
        let outcome: Result<UIImage, any Error>
        do { outcome = .success(try await future.value) } catch { outcome = .failure(error) }
        result.withLock { $0 = outcome }
        done.signal()
      }
      fixture.held.resolve(with: SampleImage.jpeg())
      // Blocks the main thread on purpose.
      #expect(done.wait(timeout: .now() + 20) == .success)
      _ = try result.withLock { try $0?.get() }
    }
  }

  @Test func `a waiting task that is canceled throws a cancellation failure, and the transfer continues`() async throws {
    let future = fixture.future()
    await fixture.held.waitForRequests()
    let canceledTask = Task { try await future.value }
    canceledTask.cancel()
    await #expect { try await canceledTask.value } throws: { ($0 as? FutureImage.Failure)?.reason == .cancelled }
    fixture.held.resolve(with: SampleImage.jpeg())
    _ = try await future.value
    #expect(fixture.held.cancelledCount == 0)
  }

  @Test func `a task that awaits the value retains the future until the value arrives`() async throws {
    var future: FutureImage? = fixture.future()
    weak let remembered = future
    let waiting = Task { [future] in try await future?.value }
    await fixture.held.waitForRequests()
    future = nil
    fixture.held.resolve(with: SampleImage.jpeg())
    #expect(try await waiting.value != nil)
    // The thread that delivered the pixels may retain the future for a moment longer.
    await waitWhile(remembered != nil)
  }

  @MainActor @Test func `whenReady calls its closure once, on the main actor, after the views have changed`() async {
    let view = imageView(64)
    let future = fixture.future()
    view.futureImage = future
    var calls = 0
    var seen: UIImage?
    future.whenReady { result in
      MainActor.assertIsolated()
      calls += 1
      seen = view.image
      #expect(throws: Never.self) { try result.get() }
    }
    #expect(calls == 0)
    await fixture.serve("a", SampleImage.jpeg())
    #expect(calls == 1)
    #expect(seen != nil && !(seen is FutureImage))
    future.reload()
    await fixture.serve("a", SampleImage.jpeg(32, 32))
    #expect(calls == 1)
  }

  @MainActor @Test func `if the future is ready or has failed, whenReady calls its closure in a later turn of the main actor`() async {
    let future = fixture.future()
    await fixture.serve("a", SampleImage.jpeg())
    _ = try? await future.value
    var results: [Bool] = []
    future.whenReady { results.append((try? $0.get()) != nil) }
    #expect(results.isEmpty)
    await fixture.loader.waitForIdle()
    let missing = fixture.future("missing")
    await fixture.held.waitForRequests(2)
    fixture.held.answer(nil, FutureImage.Response(status: 404))
    await fixture.loader.waitForIdle()
    missing.whenReady { results.append((try? $0.get()) != nil) }
    await fixture.loader.waitForIdle()
    #expect(results == [true, false])
  }

  private func names(of phases: AsyncStream<FutureImage.Phase>) -> Task<[String], Never> {
    Task { await phases.reduce(into: []) { $0.append($1.name) } }
  }

  private func expectOrder(_ names: [String]) {
    let order = ["waiting", "loading", "fetched", "ready"].enumerated().reduce(into: [:]) { $0[$1.element] = $1.offset }
    #expect(names == names.sorted { order[$0, default: 9] < order[$1, default: 9] })
  }

  @Test func `a stream of phases requests no pixels, and ends when the bytes of the image have arrived`() async throws {
    let picture = SampleImage.noise(200, 150)
    let future = fixture.future()
    let listening = names(of: future.phases())
    await fixture.held.waitForRequests()
    let half = picture.count / 2
    fixture.held.begin(with: picture.prefix(half), of: picture.count)
    fixture.held.finish(with: picture.suffix(from: half))
    let names = await listening.value
    #expect(names.last == "fetched")
    expectOrder(names)
    await fixture.loader.waitForIdle()
    #expect(fixture.loader.statistics.decodes == 0)
    #expect(await self.names(of: future.phases()).value == ["fetched"])
  }

  @Test func `a stream of phases for a size requests the pixels, and ends when the pixels are ready`() async throws {
    let future = fixture.future()
    let listening = names(of: future.phases(fitting: .full))
    await fixture.held.waitForHeld()
    fixture.held.resolve(with: SampleImage.jpeg())
    let names = await listening.value
    #expect(names.last == "ready")
    #expect(names.count { $0 == "ready" } == 1)
    expectOrder(names)
    await fixture.loader.waitForIdle()
    #expect(await self.names(of: future.phases(fitting: .square(16))).value == ["ready"])
  }

  @Test func `a phase that is yielded after the final phase is not delivered`() async {
    let phases = AsyncStream<FutureImage.Phase>(endingWith: \.isFinal) { continuation in
      continuation.yield(.fetched)
      continuation.yield(.ready(UIImage()))
      continuation.yield(.fetched)
      continuation.finish()
    }
    #expect(await names(of: phases).value == ["fetched", "ready"])
  }

  @Test func `a phase that is yielded after the reading task is canceled is not delivered`() async {
    let continuation = LockedValue<AsyncStream<FutureImage.Phase>.Continuation>()
    let phases = AsyncStream<FutureImage.Phase>(endingWith: \.isFinal) { continuation.value = $0 }
    let mayRead = Signal()
    let task = Task {
      await mayRead.wait()
      return await phases.reduce(into: [String]()) { $0.append($1.name) }
    }
    task.cancel()
    continuation.value?.yield(.fetched)
    mayRead.send()
    #expect(await task.value.isEmpty)
  }

  @Test func `a phase that is yielded during the cancellation of the reading task is not delivered`() async {
    let begun = Signal()
    let phases = AsyncStream<FutureImage.Phase>(endingWith: \.isFinal) { continuation in
      continuation.yield(.waiting)
      continuation.onTermination = { _ in continuation.yield(.fetched) }
    }
    let task = Task {
      var names: [String] = []
      for await phase in phases {
        names.append(phase.name)
        begun.send()
      }
      return names
    }
    await begun.wait()
    task.cancel()
    #expect(await task.value == ["waiting"])
  }

  @Test func `if only a smaller image is ready, a stream of phases for a size waits for the larger image`() async throws {
    let future = fixture.future()
    await fixture.serve()
    _ = try await future.value(fitting: .square(16))
    var widths: [Int?] = []
    for await phase in future.phases(fitting: .full) {
      if case .ready(let image) = phase { widths.append(image.cgImage?.width) }
    }
    #expect(widths == [1200])
  }

  @Test(arguments: [nil, FutureImage.Fitting.full])
  func `a stream of phases ends with the failure of the image`(fitting: FutureImage.Fitting?) async {
    let future = fixture.future()
    let listening = names(of: fitting.map { future.phases(fitting: $0) } ?? future.phases())
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: 404))
    #expect(await listening.value.last == "failed")
  }

  @Test func `leaving a loop over phases(fitting:) removes the waiter and the stream of the loop`() async {
    let future = fixture.future()
    for await _ in future.phases(fitting: .full) {
      #expect(future.waiterCount == 1)
      break
    }
    #expect(future.waiterCount == 0 && !future.hasPhaseStreams)
  }

  @Test func `canceling the progress cancels the future`() async {
    let future = fixture.future()
    await fixture.held.waitForRequests()
    future.progress.cancel()
    await fixture.held.waitForCancellations()
    #expect(await future.end.failure?.reason == .cancelled)
  }

  @MainActor @Test func `observers of a future are notified when its phase or its image changes`() async throws {
    let future = fixture.future()
    let changes = Lock(0)
    func observe() {
      withObservationTracking {
        _ = future.phase
      } onChange: {
        changes.withLock { $0 += 1 }
      }
    }
    observe()
    await fixture.serve("a", SampleImage.jpeg())
    #expect(changes.withLock { $0 } == 1)
    withObservationTracking {
      #expect(future.image == nil)
    } onChange: {
      changes.withLock { $0 += 1 }
    }
    let image = try await future.value
    await fixture.loader.waitForIdle()
    #expect(changes.withLock { $0 } == 2)
    #expect(future.image === image)
  }

  @Test func `reading the phase or the image requests no pixels`() async throws {
    let future = fixture.future()
    await fixture.serve("a", SampleImage.jpeg(1200, 900))
    _ = future.phase
    #expect(future.image == nil)
    await fixture.loader.waitForIdle()
    #expect(fixture.loader.statistics.decodes == 0)
    let image = try await future.value
    await fixture.loader.waitForIdle()
    #expect(future.image === image)
    #expect(fixture.loader.statistics.decodes == 1)
  }

  @Test func `canceling a future makes every waiter fail, and a later waiter starts a new transfer`() async throws {
    let future = fixture.future()
    await fixture.held.waitForRequests()
    let waiters = (0..<5).map { _ in Task { try await future.value } }
    await waitWhile(future.waiterCount < 5)
    future.cancel()
    for waiter in waiters {
      await #expect { try await waiter.value } throws: { ($0 as? FutureImage.Failure)?.reason == .cancelled }
    }
    await fixture.held.waitForCancellations()
    async let secondValue = future.value
    await fixture.held.waitForRequests(2)
    fixture.held.resolve(with: SampleImage.jpeg())
    _ = try await secondValue
  }

  @Test func `a task that awaits a future without a source gets a failure instead of waiting forever`() async {
    let future = FutureImage()
    await #expect { try await future.value } throws: { ($0 as? FutureImage.Failure)?.reason.isRefused == true }
    #expect(future.failure?.reason.isRefused == true)
  }
}

extension FutureImage {
  /// The final phase of the future. The getter waits until the future has reached this phase, which may happen on another thread, for
  /// example after a test has canceled the future's progress.
  var end: Phase {
    get async {
      var last = phase
      for await phase in phases() { last = phase }
      return last
    }
  }
}
