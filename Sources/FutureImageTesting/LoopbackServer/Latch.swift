import Foundation

extension LoopbackServer {
  /// A flag that can be raised but not lowered, and that `poll` can wait for together with a socket.
  ///
  /// The latch is a pipe. Raising the latch writes a byte to the pipe. No thread reads the byte, so the pipe stays readable for every
  /// thread. With a condition variable, a thread could not wait for its client at the same time.
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
      // A full pipe refuses the byte, but is readable anyway.
      var byte: UInt8 = 1
      _ = write(writeEnd, &byte, 1)
    }
  }
}
