import FutureImageTesting
import Testing

@testable import FutureImage

/// The loops over phases for which `settled()` waits.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct PhaseReadersTests {
  private let readers = PhaseReaders()

  @Test func `a reader is busy from the phase that it is given until it waits for the next one`() {
    let (id, other) = (readers.add(), readers.add())
    #expect(id != other)
    readers.beginWaiting(id, nil)
    #expect(readers.areIdle(besides: nil) && readers.busyCount == 0)
    readers.give(id)
    #expect(!readers.areIdle(besides: nil) && readers.busyCount == 1)
    readers.beginHandling(id)
    #expect(!readers.areIdle(besides: nil))
    readers.beginWaiting(id, nil)
    #expect(readers.areIdle(besides: nil))
    readers.give(id)
    readers.remove(id)
    #expect(readers.areIdle(besides: nil))
  }

  @Test func `a reader that has not begun is not busy`() {
    let id = readers.add()
    readers.give(id)
    #expect(readers.areIdle(besides: nil) && readers.busyCount == 0)
  }

  @Test func `the readers of a task count for all but that task`() async {
    let (here, there) = (TaskIdentity.current, await Task.detached { TaskIdentity.current }.value)
    let id = readers.add()
    readers.beginWaiting(id, here)
    readers.give(id)
    #expect(readers.areIdle(besides: here))
    #expect(!readers.areIdle(besides: there))
    #expect(!readers.areIdle(besides: nil))
  }

  @Test func `a stream ends with its last phase even if another was added after it`() async {
    let isLast: @Sendable (FutureImage.Phase) -> Bool = { $0.name == "fetched" }
    let reading = FutureImage.PhaseReading(Shop().loader, isLast: isLast) { feed in
      feed.yield(.fetched)
      feed.yield(.waiting)
    }
    let names = [await reading.next()?.name, await reading.next()?.name]
    #expect(names == ["fetched", nil])
  }
}
