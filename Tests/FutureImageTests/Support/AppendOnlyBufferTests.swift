import Foundation
import Testing

@testable import FutureImage

@Suite("AppendOnlyBuffer", .timeLimit(.minutes(5))) struct AppendOnlyBufferTests {
  private static let paged = AppendOnlyBuffer.pagedCapacity

  @Test(arguments: [10, paged - 1, paged, 3 * paged])
  func `a buffer takes bytes up to its capacity, and does not change when it refuses more bytes`(capacity: Int) {
    let buffer = AppendOnlyBuffer(capacity: capacity)
    #expect(buffer.append(Data(repeating: 1, count: capacity - 3)))
    #expect(!buffer.append(Data(repeating: 2, count: 4)))
    #expect(buffer.count == capacity - 3)
    #expect(buffer.append(Data([3, 4, 5])))
    #expect(!buffer.append(Data([6])))
    #expect(buffer.append(Data()))
    #expect(buffer.data(0..<capacity) == Data(repeating: 1, count: capacity - 3) + Data([3, 4, 5]))
  }

  @Test func `a buffer without capacity takes no bytes`() {
    let buffer = AppendOnlyBuffer(capacity: 0)
    #expect(!buffer.append(Data([1])))
    #expect(buffer.data(0..<0).isEmpty)
    #expect(AppendOnlyBuffer(pagedCapacity: 0) == nil)
  }

  @Test func `no buffer is created if the system has no room for its capacity`() {
    #expect(AppendOnlyBuffer(pagedCapacity: .max) == nil)
  }

  @Test(arguments: [1_000, paged]) func `data of a buffer retains the buffer, and does not change while bytes are added`(capacity: Int) {
    var buffer: AppendOnlyBuffer? = AppendOnlyBuffer(capacity: capacity)
    _ = buffer?.append(Data(repeating: 1, count: 300))
    let data = buffer?.data(100..<300)
    _ = buffer?.append(Data(repeating: 2, count: 300))
    weak let released = buffer
    buffer = nil
    #expect(released != nil)
    #expect(data == Data(repeating: 1, count: 200))
    #expect(data?.startIndex == 0)
  }

  @Test func `a slice whose indices do not begin at 0 is added like any other data`() {
    let buffer = AppendOnlyBuffer(capacity: 10)
    _ = buffer.append(Data([1, 2, 3, 4])[2...])
    #expect(buffer.data(0..<2) == Data([3, 4]))
  }

  @Test func `a closure passed to fill(_:) writes after the earlier bytes, and the count grows by the number that the closure returns`() {
    let buffer = AppendOnlyBuffer(capacity: 4)
    _ = buffer.append(Data([1]))
    let filled = buffer.fill { room in
      #expect(room.count == 3)
      room[0] = 7
      return 1
    }
    #expect(filled == 1 && buffer.count == 2)
    #expect(buffer.fill { _ in nil } == nil && buffer.count == 2)
    #expect(buffer.data(0..<2) == Data([1, 7]))
  }
}
