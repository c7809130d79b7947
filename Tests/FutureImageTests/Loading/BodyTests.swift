import Foundation
import Testing

@testable import FutureImage

@Suite("Body", .timeLimit(.minutes(5))) struct BodyTests {
  typealias Response = FutureImage.Response
  typealias Failure = FutureImage.Failure

  /// A body and the events that it has reported.
  private final class Reported: Sendable {
    private let events = Lock<[Transfer.Event]>([])
    let body: Body

    init(limit: Int = 1_000, continuing beginning: PartialBody? = nil) {
      let events = events
      body = Body(limit: limit, continuing: beginning) { event in events.withLock { $0.append(event) } }
    }

    /// The reported fractions of the progress. A body first reports nil, when its response arrives.
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

  // MARK: Contents

  @Test func `the chunks of a body are joined in order, and the cache entry has the validators of the response`() throws {
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

  @Test(arguments: [Int.min, -1, 0, .max]) func `a wrong expected length does not affect the body`(expected: Int) throws {
    let reported = Reported(limit: .max)
    try reported.body.receive(.response(Response(status: 200, expectedBytes: expected)))
    try reported.body.receive(bytes(3))
    #expect(try reported.body.whole().data == Data([0, 1, 2]))
  }

  @Test func `bytes without a response count as a response with status 200`() throws {
    let reported = Reported()
    try reported.body.receive(bytes(2))
    let answer = try reported.body.whole()
    #expect(answer.response.status == 200)
    #expect(answer.data.count == 2)
    #expect(answer.entry.eTag == nil)
  }

  @Test(arguments: [199, 205, 207, 300, 302, 404, 500], [nil, 10, Int.max])
  func `if the status of a response rules out an image, the body of the response is not read`(status: Int, expected: Int?) throws {
    let reported = Reported()
    #expect(throws: BodyNotNeeded.self) { try reported.body.receive(.response(Response(status: status, expectedBytes: expected))) }
    #expect(reported.body.decided?.response.status == status)
    #expect(reported.body.decided?.data.isEmpty == true)
    #expect(reported.byteCounts.isEmpty)
    #expect(reported.fractions.isEmpty)
  }

  @Test(arguments: [204, 304, 302, 404])
  func `a response that declares an empty body is read to its end, even if its status rules out an image`(status: Int) throws {
    let reported = Reported()
    try reported.body.receive(.response(Response(status: status, expectedBytes: 0)))
    #expect(try reported.body.whole().response.status == status)
    #expect(try reported.body.whole().data.isEmpty)
  }

  @Test(arguments: [200, 201, 202, 203, 226])
  func `a response whose status allows an image is read to its end`(status: Int) throws {
    let reported = Reported()
    #expect(reported.body.decided == nil)
    try reported.body.receive(.response(Response(status: status, expectedBytes: 10)))
    try reported.body.receive(bytes(10))
    #expect(reported.body.decided == nil)
    #expect(try reported.body.whole().data.count == 10)
  }

  @Test func `an empty body fails, and a body of one byte does not`() throws {
    let reported = Reported()
    #expect(throws: Failure(.empty)) { try reported.body.whole().checked }
    try reported.body.receive(bytes(1))
    #expect(try reported.body.whole().checked.data.count == 1)
  }

  @Test func `the bytes of an incomplete body are available from the first byte until the last byte arrives`() throws {
    let reported = Reported()
    #expect(reported.body.soFar == nil)
    try reported.body.receive(.response(Response(status: 200, expectedBytes: 10)))
    #expect(reported.body.soFar == nil)
    try reported.body.receive(bytes(9))
    #expect(reported.body.soFar == Data(0..<9))
    try reported.body.receive(bytes(1, from: 9))
    #expect(reported.body.soFar == nil)
  }

  @Test func `bytes that follow an image are removed when the body ends`() throws {
    let picture = SampleImage.jpeg()
    let reported = Reported(limit: .max)
    try reported.body.receive(.response(Response(status: 200)))
    // These are too few bytes for a search for the end of the image before the body ends.
    try reported.body.receive(.bytes(picture + Data(count: 70_000)))
    #expect(try reported.body.whole().data == picture)
  }

  // MARK: Large bodies

  /// Nine pieces of 300,000 equal bytes.
  private let pieces = (0..<9).map { Data(repeating: UInt8($0), count: 300_000) }

  /// - Parameter total: the length in bytes that the server declares. It is unknown, correct, too high, too low, or far too high.
  @Test(arguments: [nil, 2_701_000, 3_000_000, 2_700_999, 1_250_000, 1 << 40, .max])
  func `a large body has the bytes of all its pieces, whatever length the server declares`(total: Int?) throws {
    let body = Body(limit: .max) { _ in }
    try body.receive(.response(Response(status: 200, expectedBytes: total)))
    // If the declared length is too low, one of the pieces does not fit into the buffer of the body. The last piece is so short that it
    // would still fit, but its bytes must follow those of all other pieces.
    let all = pieces + [Data(repeating: 9, count: 1_000)]
    for piece in all { try body.receive(.bytes(piece)) }
    #expect(try body.whole().data == all.reduce(Data(), +))
  }

  @Test func `the bytes that have arrived so far stay as they are while more of a large body arrives`() throws {
    let body = Body(limit: .max) { _ in }
    try body.receive(.response(Response(status: 200, expectedBytes: 2_700_000)))
    var beginnings: [Data] = []
    for piece in pieces {
      try body.receive(.bytes(piece))
      if let beginning = body.soFar { beginnings.append(beginning) }
    }
    #expect(beginnings == (1...8).map { pieces[..<$0].reduce(Data(), +) })
    #expect(beginnings.allSatisfy { $0.startIndex == 0 })
  }

  @Test func `the pieces of a large body are not copied when the next piece arrives`() throws {
    let body = Body(limit: .max) { _ in }
    try body.receive(.response(Response(status: 200, expectedBytes: 2_700_000)))
    func address() throws -> UnsafeRawPointer? { try body.whole().data.withUnsafeBytes(\.baseAddress) }
    try body.receive(.bytes(pieces[0]))
    let first = try address()
    for piece in pieces[1...] {
      let retained = body.soFar
      try body.receive(.bytes(piece))
      withExtendedLifetime(retained) {}
      #expect(try address() == first)
    }
  }

  @Test func `when a large interrupted body is continued, the bytes received before the interruption stay unchanged`() throws {
    let whole = pieces.reduce(Data(), +)
    let response = Response(status: 200, headers: ["etag": "\"1\""], expectedBytes: 2_700_000)
    let partial = try #require(PartialBody(whole.prefix(300_000), of: response))
    let body = Body(limit: .max, continuing: partial) { _ in }
    let range = ["content-range": "bytes 300000-2699999/2700000"]
    try body.receive(.response(Response(status: 206, headers: range, expectedBytes: 2_400_000)))
    for piece in pieces[1...] { try body.receive(.bytes(piece)) }
    #expect(try body.whole().data == whole)
    #expect(partial.data == pieces[0])
  }

  // MARK: The rest of a body that broke off

  /// The beginning of a body of unknown length.
  private func beginning() throws -> PartialBody {
    try #require(PartialBody(Data(count: 600), of: Response(status: 200, headers: ["etag": "\"1\""])))
  }

  private func rest(to last: Int) -> FutureImage.FetchEvent {
    .response(Response(status: 206, headers: ["content-range": "bytes 600-\(last)/\(last + 1)"], expectedBytes: last - 599))
  }

  @Test func `the rest of a resumed body is appended to the beginning of the body, up to the byte limit`() throws {
    let reported = Reported(limit: 1_000, continuing: try beginning())
    try reported.body.receive(rest(to: 999))
    #expect(reported.body.count == 600)
    #expect(reported.fractions == [nil])
    try reported.body.receive(bytes(400))
    let answer = try reported.body.whole()
    #expect(answer.data.count == 1_000)
    #expect(answer.response.status == 200)
  }

  @Test func `a resumed body fails before its first new byte if the whole body would exceed the byte limit`() throws {
    let reported = Reported(limit: 1_000, continuing: try beginning())
    #expect(throws: Failure(.tooLarge(limit: 1_000))) { try reported.body.receive(rest(to: 1_000)) }
  }

  @Test(arguments: [399, 401]) func `a resumed body fails if the server sends more or fewer bytes than it has declared`(count: Int) throws {
    let reported = Reported(limit: 2_000, continuing: try beginning())
    try reported.body.receive(rest(to: 999))
    try reported.body.receive(bytes(count))
    #expect(throws: Body.WrongPart.self) { try reported.body.whole() }
  }

  // MARK: The limit

  @Test(arguments: [nil, 1_000])
  func `a body as long as the limit is accepted`(expected: Int?) throws {
    let reported = Reported()
    try reported.body.receive(.response(Response(status: 200, expectedBytes: expected)))
    try reported.body.receive(bytes(600))
    try reported.body.receive(bytes(400))
    #expect(try reported.body.whole().data.count == 1_000)
  }

  @Test(arguments: [1_001, Int.max])
  func `a body whose declared length exceeds the limit fails before its first byte arrives`(expected: Int) {
    let reported = Reported()
    #expect(throws: Failure(.tooLarge(limit: 1_000))) {
      try reported.body.receive(.response(Response(status: 200, expectedBytes: expected)))
    }
  }

  @Test func `a body fails at the first byte beyond the limit, and does not retain that byte`() throws {
    let reported = Reported()
    try reported.body.receive(.response(Response(status: 200, expectedBytes: 10)))
    try reported.body.receive(bytes(1_000))
    #expect(throws: Failure(.tooLarge(limit: 1_000))) { try reported.body.receive(bytes(1)) }
    #expect(try reported.body.whole().data.count == 1_000)
    #expect(reported.byteCounts == [1_000, 1])
  }

  // MARK: Progress

  @Test func `a body of known length reports its progress in steps of one fiftieth, and each step only once`() throws {
    let reported = Reported()
    try reported.body.receive(.response(Response(status: 200, expectedBytes: 1_000)))
    for index in 0..<1_000 { try reported.body.receive(bytes(1, from: index)) }
    #expect(reported.fractions == [nil] + (1...50).map { Double($0) / 50 })
  }

  @Test func `a chunk that completes several progress steps reports only the last of these steps`() throws {
    let reported = Reported()
    try reported.body.receive(.response(Response(status: 200, expectedBytes: 100)))
    for count in [1, 49, 1, 49] { try reported.body.receive(bytes(count)) }
    #expect(reported.fractions == [nil, 0.5, 1])
  }

  @Test func `the progress of a body longer than declared never exceeds one`() throws {
    let reported = Reported()
    try reported.body.receive(.response(Response(status: 200, expectedBytes: 10)))
    for _ in 0..<5 { try reported.body.receive(bytes(5)) }
    #expect(reported.fractions == [nil, 0.5, 1])
  }

  @Test func `a body in one chunk reports no progress, and is copied only if the chunk is a slice`() throws {
    let (reported, other) = (Reported(), Reported())
    let piece = Data((0..<100).map { UInt8($0) })
    try reported.body.receive(.response(Response(status: 200, expectedBytes: 100)))
    try reported.body.receive(.bytes(piece))
    #expect(reported.fractions == [nil])
    let whole = try reported.body.whole().data
    #expect(whole == piece)
    #expect(address(of: whole) == address(of: piece))
    try other.body.receive(.response(Response(status: 200, expectedBytes: 50)))
    try other.body.receive(.bytes(piece.dropFirst(50)))
    let part = try other.body.whole().data
    #expect(part.startIndex == 0)
    #expect(part == piece.dropFirst(50))
  }

  private func address(of data: Data) -> UInt? { data.withUnsafeBytes { $0.baseAddress.map { UInt(bitPattern: $0) } } }

  @Test(arguments: [nil, 0])
  func `a body whose declared length is unknown or zero reports no fraction of its progress`(expected: Int?) throws {
    let reported = Reported()
    try reported.body.receive(.response(Response(status: 200, expectedBytes: expected)))
    for _ in 0..<5 { try reported.body.receive(bytes(10)) }
    #expect(reported.fractions == [nil])
  }

  @Test func `a negative declared length is treated as an unknown length`() throws {
    let reported = Reported()
    try reported.body.receive(.response(Response(status: 200, expectedBytes: -1)))
    try reported.body.receive(bytes(10))
    #expect(try reported.body.whole().data.count == 10)
    #expect(reported.fractions == [nil])
  }
}
