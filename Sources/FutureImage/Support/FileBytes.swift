/// The bytes of a file in memory of their own, of which parts become `Data` without a copy.
///
/// Filled by one thread, before the first part is taken; from then on only read.
final class FileBytes {
  private let memory: UnsafeMutableRawBufferPointer
  /// How many bytes are filled.
  var count = 0

  init(capacity: Int) {
    memory = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit {
    memory.deallocate()
  }

  /// What is not yet filled.
  var room: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(rebasing: memory[count...])
  }

  /// The filled bytes; valid as long as this object.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try body(UnsafeRawBufferPointer(rebasing: memory[..<count]))
  }

  /// A part as `Data` whose indices begin at 0; it keeps the memory alive.
  ///
  /// A slice of one `Data` would do without this class, but begins at the index where the body begins, which callers stumble over.
  func data(_ range: Range<Int>) -> Data {
    guard !range.isEmpty, let base = memory.baseAddress else { return Data() }
    // The deallocator captures the object, so the memory outlives the Data; nobody else writes to it any more.
    return Data(bytesNoCopy: base + range.lowerBound, count: range.count, deallocator: .custom { _, _ in withExtendedLifetime(self) {} })
  }
}
