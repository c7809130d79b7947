import Foundation

extension LoopbackServer {
  /// A flag that goes up once and that `poll` can wait for beside a socket.
  ///
  /// It is a pipe into which a byte is written that nobody reads: it stays readable for every thread. A condition variable would
  /// not let a thread watch its client at the same time.
  final class Latch: Sendable {
    let readEnd: Int32
    private let writeEnd: Int32

    init() throws {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { throw Failure(call: "pipe", code: errno) }
      ends.forEach(prepareDescriptor)
      (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
      close(readEnd)
      close(writeEnd)
    }

    func raise() {
      // A full pipe refuses the byte, and is as readable as need be.
      var byte: UInt8 = 1
      _ = write(writeEnd, &byte, 1)
    }
  }
}
