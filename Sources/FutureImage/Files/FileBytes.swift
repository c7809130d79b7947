/// The bytes of a file in memory of their own, parts of which become `Data` without a copy.
///
/// One thread fills it before the first part is taken. After that it is only read.
final class FileBytes {
  private let memory: UnsafeMutableRawBufferPointer
  /// The number of filled bytes.
  var count = 0

  init(capacity: Int) {
    memory = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit {
    memory.deallocate()
  }

  /// The memory that is not filled yet.
  var room: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(rebasing: memory[count...])
  }

  /// Calls `body` with the filled bytes, which are valid as long as this object.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try body(UnsafeRawBufferPointer(rebasing: memory[..<count]))
  }

  /// Returns a part as `Data` whose indices begin at 0. It retains the memory.
  ///
  /// A slice of one `Data` would work without this class, but its indices begin where the body begins, which callers stumble over.
  func data(_ range: Range<Int>) -> Data {
    guard !range.isEmpty, let base = memory.baseAddress else { return Data() }
    // The deallocator captures the object, so the memory outlives the Data. Nothing writes to it any longer.
    return Data(bytesNoCopy: base + range.lowerBound, count: range.count, deallocator: .custom { _, _ in withExtendedLifetime(self) {} })
  }
}
