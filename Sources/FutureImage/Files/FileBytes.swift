/// The bytes of a file in separately allocated memory. Parts of the memory become `Data` without a copy.
///
/// One thread fills the memory before any part becomes `Data`. After that, the memory is only read.
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

  /// Calls `body` with the filled bytes, which are valid as long as this object exists.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try body(UnsafeRawBufferPointer(rebasing: memory[..<count]))
  }

  /// Returns a part of the bytes as `Data` whose indices begin at 0. The `Data` retains the memory.
  ///
  /// A slice of a `Data` with the whole file would make this class unnecessary. But the indices of the slice would begin where the body
  /// begins, which would cause mistakes in callers.
  func data(_ range: Range<Int>) -> Data {
    guard !range.isEmpty, let base = memory.baseAddress else { return Data() }
    // The deallocator captures this object, so the memory outlives the `Data`. Nothing writes to the memory anymore.
    return Data(bytesNoCopy: base + range.lowerBound, count: range.count, deallocator: .custom { _, _ in withExtendedLifetime(self) {} })
  }
}
