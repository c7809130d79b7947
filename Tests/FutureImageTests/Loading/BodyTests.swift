import Foundation
import Testing

@testable import FutureImage

@Suite("Body", .timeLimit(.minutes(5))) struct BodyTests {
  typealias Response = FutureImage.Response
  typealias Failure = FutureImage.Failure

  /// A body, and what it reported.
  private final class Reported: Sendable {
    private let events = Lock<[Transfer.Event]>([])
    let body: Body

    init(limit: Int = 1_000) {
      let events = events
      body = Body(limit: limit) { event in events.withLock { $0.append(event) } }
    }

    var fractions: [Double?] {
      events.withLock { $0 }.compactMap { event in
        if case .fraction(let fraction) = event { .some(fraction) } else { nil }
      }
    }

    var byteCounts: [Int] {
      events.withLock { $0 }.compactMap { event in
        if case .bytes(let count) = event { count } else { nil }
      }
    }
  }

  private func bytes(_ count: Int, from first: Int = 0) -> FutureImage.FetchEvent {
    .bytes(Data((first..<first + count).map { UInt8(truncatingIfNeeded: $0) }))
  }

  // MARK: What is kept

  @Test("Pieces are put together in order, with the response before them")
  func whole() throws {
    let reported = Reported()
    try reported.body.receive(.response(Response(status: 201, headers: ["etag": "\"1\"", "last-modified": "then"])))
    try reported.body.receive(bytes(3))
    try reported.body.receive(bytes(4, from: 3))
    let answer = try reported.body.whole()
    #expect(answer.data == Data([0, 1, 2, 3, 4, 5, 6]))
    #expect(answer.response.status == 201)
    #expect(answer.entry.body == answer.data)
    #expect(answer.entry.eTag == "\"1\"")
    #expect(answer.entry.lastModified == "then")
    #expect(reported.byteCounts == [3, 4])
  }

  @Test(arguments: [Int.min, -1, 0, .max]) func `an expected length that makes no sense harms nothing`(expected: Int) throws {
    let reported = Reported(limit: .max)
    try reported.body.receive(.response(Response(status: 200, expectedBytes: expected)))
    try reported.body.receive(bytes(3))
    #expect(try reported.body.whole().data == Data([0, 1, 2]))
  }

  @Test("Bytes without a response are an answer of status 200")
  func withoutResponse() throws {
    let reported = Reported()
    try reported.body.receive(bytes(2))
    let answer = try reported.body.whole()
    #expect(answer.response.status == 200)
    #expect(answer.data.count == 2)
    #expect(answer.entry.eTag == nil)
  }

  @Test("An answer that is no picture is over with its head", arguments: [199, 205, 207, 300, 302, 404, 500], [nil, 10, Int.max])
  func otherStatus(status: Int, expected: Int?) throws {
    let reported = Reported()
    #expect(throws: Body.StatusSuffices.self) { try reported.body.receive(.response(Response(status: status, expectedBytes: expected))) }
    #expect(reported.body.decided?.response.status == status)
    #expect(reported.body.decided?.data.isEmpty == true)
    #expect(reported.byteCounts.isEmpty)
    #expect(reported.fractions.isEmpty)
  }

  @Test("One that has no body ends by itself", arguments: [204, 304, 302, 404])
  func otherStatusWithoutBody(status: Int) throws {
    let reported = Reported()
    try reported.body.receive(.response(Response(status: status, expectedBytes: 0)))
    #expect(try reported.body.whole().response.status == status)
    #expect(try reported.body.whole().data.isEmpty)
  }

  @Test("A picture is not decided before it is whole", arguments: [200, 201, 202, 203, 226])
  func pictures(status: Int) throws {
    let reported = Reported()
    #expect(reported.body.decided == nil)
    try reported.body.receive(.response(Response(status: status, expectedBytes: 10)))
    try reported.body.receive(bytes(10))
    #expect(reported.body.decided == nil)
    #expect(try reported.body.whole().data.count == 10)
  }

  @Test("Nothing is no picture; one byte may be one")
  func empty() throws {
    let reported = Reported()
    #expect(throws: Failure(.empty)) { try reported.body.whole().checked }
    try reported.body.receive(bytes(1))
    #expect(try reported.body.whole().checked.data.count == 1)
  }

  // MARK: The limit

  @Test("A body as long as the limit is taken", arguments: [nil, 1_000])
  func atLimit(expected: Int?) throws {
    let reported = Reported()
    try reported.body.receive(.response(Response(status: 200, expectedBytes: expected)))
    try reported.body.receive(bytes(600))
    try reported.body.receive(bytes(400))
    #expect(try reported.body.whole().data.count == 1_000)
  }

  @Test("A body that is declared too long is refused before its first byte", arguments: [1_001, Int.max])
  func declaredTooLong(expected: Int) {
    let reported = Reported()
    #expect(throws: Failure(.tooLarge(limit: 1_000))) {
      try reported.body.receive(.response(Response(status: 200, expectedBytes: expected)))
    }
  }

  @Test("A body that becomes too long is refused at that byte, and no more of it is kept")
  func becomesTooLong() throws {
    let reported = Reported()
    try reported.body.receive(.response(Response(status: 200, expectedBytes: 10)))
    try reported.body.receive(bytes(1_000))
    #expect(throws: Failure(.tooLarge(limit: 1_000))) { try reported.body.receive(bytes(1)) }
    #expect(try reported.body.whole().data.count <= 1_000)
    #expect(reported.byteCounts == [1_000, 1])
  }

  // MARK: Progress

  @Test("A picture of known length tells each fiftieth of its way once, up to one")
  func fractions() throws {
    let reported = Reported()
    try reported.body.receive(.response(Response(status: 200, expectedBytes: 1_000)))
    for index in 0..<1_000 { try reported.body.receive(bytes(1, from: index)) }
    #expect(reported.fractions == [nil] + (1...50).map { Double($0) / 50 })
  }

  @Test("A large piece tells only where it ends")
  func largePieces() throws {
    let reported = Reported()
    try reported.body.receive(.response(Response(status: 200, expectedBytes: 100)))
    for count in [1, 49, 1, 49] { try reported.body.receive(bytes(count)) }
    #expect(reported.fractions == [nil, 0.5, 1])
  }

  @Test("A body longer than it was declared is never more than whole")
  func longerThanDeclared() throws {
    let reported = Reported()
    try reported.body.receive(.response(Response(status: 200, expectedBytes: 10)))
    for _ in 0..<5 { try reported.body.receive(bytes(5)) }
    #expect(reported.fractions == [nil, 0.5, 1])
  }

  @Test("A body that comes in one piece tells nothing of its way, and is the piece itself or a copy of a part")
  func onePiece() throws {
    let (reported, other) = (Reported(), Reported())
    let piece = Data((0..<100).map { UInt8($0) })
    try reported.body.receive(.response(Response(status: 200, expectedBytes: 100)))
    try reported.body.receive(.bytes(piece))
    #expect(reported.fractions == [nil])
    #expect(try reported.body.whole().data == piece)
    try other.body.receive(.response(Response(status: 200, expectedBytes: 50)))
    try other.body.receive(.bytes(piece.dropFirst(50)))
    let part = try other.body.whole().data
    #expect(part.startIndex == 0)
    #expect(part == piece.dropFirst(50))
  }

  @Test("Without a length there is no fraction", arguments: [nil, 0])
  func unknownLength(expected: Int?) throws {
    let reported = Reported()
    try reported.body.receive(.response(Response(status: 200, expectedBytes: expected)))
    for _ in 0..<5 { try reported.body.receive(bytes(10)) }
    #expect(reported.fractions == [nil])
  }

  @Test("A negative length, as URLSession says for an unknown one, is unknown")
  func negativeLength() throws {
    let reported = Reported()
    try reported.body.receive(.response(Response(status: 200, expectedBytes: -1)))
    try reported.body.receive(bytes(10))
    #expect(try reported.body.whole().data.count == 10)
    #expect(reported.fractions == [nil])
  }
}
