#if canImport(CContentCoding) && !canImport(UIKit)
/// The content of one answer on its way through its decoders: bounded steps, so that it holds up nobody, and a bound on all of them.
///
/// A few bytes can stand for gigabytes of content, which the loader's limit ends, but also for gigabytes of blocks that hold none. So what
/// goes into decoders may be no more than ``allowance`` and four times what came out of the last.
final class ContentDecoding {
  /// The most bytes that one step makes.
  static let pieceSize = 64 << 10
  /// The most bytes that one step takes. The slowest content known takes some microseconds a byte.
  static let stepSize = 1 << 10
  /// The bytes that content may consist of without holding any: headers, a window's worth of bytes not yet handed on.
  static let allowance = 1 << 20
  /// The least pending bytes with which no more should be added.
  static let pendingLimit = 1 << 20

  /// One decoder with its input.
  private struct Stage {
    let decoder: any ContentDecoder
    var input = Data()
    /// Whether any input came.
    var hasBegun = false
    /// The decoder filled its room: it may have more without more input.
    var mayHaveMore = false

    var hasWork: Bool { mayHaveMore || !input.isEmpty }

    /// Content without a byte has nothing to be decoded.
    var isComplete: Bool { !hasBegun || decoder.isComplete }

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
      hasBegun = hasBegun || !bytes.isEmpty
      input.append(contentsOf: bytes)
    }
  }

  private var stages: [Stage]
  private let room: UnsafeMutableRawBufferPointer
  private var taken = 0
  private var made = 0

  /// Nil where the field names no coding.
  /// - Throws: ``FutureImage/Failure`` for codings that are not undone.
  init?(_ field: String?) throws {
    stages = try ContentCoding.decoders(for: field).map { Stage(decoder: $0) }
    if stages.isEmpty { return nil }
    // Last: what throws or gives nil before runs no deinitializer.
    room = .allocate(byteCount: Self.pieceSize, alignment: 16)
  }

  deinit {
    room.deallocate()
  }

  /// Whether the end of the coded content was there.
  var isComplete: Bool { stages.allSatisfy(\.isComplete) }

  /// Whether nothing comes of another step.
  var isIdle: Bool { !stages.contains(where: \.hasWork) }

  /// Whether enough waits to be decoded.
  var isFull: Bool { stages[0].input.count >= Self.pendingLimit }

  func add(_ bytes: UnsafeRawBufferPointer) { stages[0].add(bytes) }

  /// Goes one step on, if there is one.
  /// - Parameter handOn: takes a piece of the content.
  /// - Throws: ``FutureImage/Failure`` for content that is broken or nearly all packing, and what `handOn` throws.
  func step(handOn: (UnsafeRawBufferPointer) throws -> Void) throws {
    // The last first: the others need its room.
    guard let index = stages.lastIndex(where: \.hasWork) else { return }
    if stages[index].decoder.isComplete, let next = stages[index].input.first {
      guard stages[index].decoder.goOn(with: next) else { throw ContentCoding.malformed }
    }
    let input = stages[index].input.prefix(Self.stepSize)
    let done = try input.withUnsafeBytes { try stages[index].decoder.decode($0, into: room) }
    stages[index].input.removeFirst(done.taken)
    // Memory of what was taken goes along.
    if stages[index].input.isEmpty { stages[index].input = Data() }
    stages[index].mayHaveMore = done.made == room.count && !stages[index].decoder.isComplete
    // Within the room, by what a decoder says.
    let piece = UnsafeRawBufferPointer(rebasing: room[..<done.made])
    let isLast = index == stages.count - 1
    try count(taken: done.taken, made: isLast ? done.made : 0)
    // No decoder stands still while it has bytes and room.
    guard done.taken > 0 || done.made > 0 || input.isEmpty else { throw ContentCoding.malformed }
    if done.made == 0 { return }
    if isLast { try handOn(piece) } else { stages[index + 1].add(piece) }
  }

  private func count(taken: Int, made: Int) throws {
    self.taken += taken
    self.made += made
    guard self.taken <= Self.allowance + 4 * self.made else {
      throw FutureImage.Failure(.malformed("its compressed content is nearly all packaging"))
    }
  }
}
#endif
