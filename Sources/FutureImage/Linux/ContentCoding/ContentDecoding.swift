#if canImport(CContentCoding) && !canImport(UIKit)
/// The decoding of one response's content. Its steps are bounded, so that it delays no other exchange, and its total work is bounded, too.
///
/// A few bytes can encode gigabytes of content. The loader's limit on the size of a body stops such content. A few bytes can also encode
/// gigabytes of empty blocks, which have no output. So the input of all decoders together must not exceed ``allowance`` plus four times the
/// output of the last decoder. Even content that cannot be compressed needs less, because the input of each decoder is then about as large
/// as the output.
final class ContentDecoding {
  /// The maximum number of bytes that one step produces.
  static let pieceSize = 64 << 10
  /// The maximum number of bytes that one step consumes. The slowest known content takes some microseconds per byte.
  static let stepSize = 1 << 10
  /// The number of input bytes that are allowed before there is any output. Headers have no output, and a decoder may retain a window of
  /// decoded bytes before it delivers them.
  static let allowance = 1 << 20
  /// The limit on the bytes that wait to be decoded. When it is reached, the caller should add no more bytes.
  static let pendingLimit = 1 << 20

  /// One decoder with its input.
  private struct Layer {
    let decoder: any ContentDecoder
    var input = Data()
    /// Whether any input has arrived.
    var hasBegun = false
    /// Whether the decoder filled its output buffer, so that it may have more output without more input.
    var mayHaveMore = false

    var hasWork: Bool { mayHaveMore || !input.isEmpty }

    /// Whether the decoder has reached the end of its content. Empty content is complete without decoding.
    var isComplete: Bool { !hasBegun || decoder.isComplete }

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
      hasBegun = hasBegun || !bytes.isEmpty
      input.append(contentsOf: bytes)
    }
  }

  private var layers: [Layer]
  /// The output buffer of the current step.
  private let room: UnsafeMutableRawBufferPointer
  /// The number of bytes that all decoders have consumed.
  private var taken = 0
  /// The number of bytes that the last decoder has produced.
  private var made = 0

  /// Creates the decoders; nil if the field names no coding.
  /// - Throws: ``FutureImage/Failure`` for codings that are not supported.
  init?(_ field: String?) throws {
    layers = try ContentCoding.decoders(for: field).map { Layer(decoder: $0) }
    if layers.isEmpty { return nil }
    // The buffer is allocated last, because no deinitializer runs if this initializer throws or returns nil before.
    room = .allocate(byteCount: Self.pieceSize, alignment: 16)
  }

  deinit {
    room.deallocate()
  }

  /// Whether the end of the coded content has been reached.
  var isComplete: Bool { layers.allSatisfy(\.isComplete) }

  /// Whether another step would have no effect.
  var isIdle: Bool { !layers.contains(where: \.hasWork) }

  /// Whether so many bytes wait to be decoded that no more bytes should be added.
  var isFull: Bool { layers[0].input.count >= Self.pendingLimit }

  func add(_ bytes: UnsafeRawBufferPointer) { layers[0].add(bytes) }

  /// Performs one step, if there is work.
  /// - Parameter handOn: a closure that receives a piece of the content.
  /// - Throws: ``FutureImage/Failure`` for content that is broken or has hardly any output, and the errors that `handOn` throws.
  func step(handOn: (UnsafeRawBufferPointer) throws -> Void) throws {
    // The last decoder with work runs first. Otherwise, the output of the decoders before it would accumulate in its input.
    guard let index = layers.lastIndex(where: \.hasWork) else { return }
    if layers[index].decoder.isComplete, let next = layers[index].input.first {
      guard layers[index].decoder.proceed(with: next) else { throw ContentCoding.malformed }
    }
    let input = layers[index].input.prefix(Self.stepSize)
    let done = try input.withUnsafeBytes { try layers[index].decoder.decode($0, into: room) }
    layers[index].input.removeFirst(done.taken)
    // Release the memory of consumed input, too.
    if layers[index].input.isEmpty { layers[index].input = Data() }
    layers[index].mayHaveMore = done.made == room.count && !layers[index].decoder.isComplete
    // The slice is within the buffer, because a decoder reports no more bytes than it has room for.
    let piece = UnsafeRawBufferPointer(rebasing: room[..<done.made])
    let isLast = index == layers.count - 1
    try count(taken: done.taken, made: isLast ? done.made : 0)
    // A decoder always makes progress while it has input and room.
    guard done.taken > 0 || done.made > 0 || input.isEmpty else { throw ContentCoding.malformed }
    if done.made == 0 { return }
    if isLast { try handOn(piece) } else { layers[index + 1].add(piece) }
  }

  private func count(taken: Int, made: Int) throws {
    self.taken += taken
    self.made += made
    guard self.taken <= Self.allowance + 4 * self.made else {
      throw FutureImage.Failure(.malformed("its compressed content consists almost only of the format's own marks"))
    }
  }
}
#endif
