/// Memory that is filled from its start to its end. Filled bytes do not change, so parts of them become `Data` without a copy, also while
/// further bytes are added.
///
/// One thread at a time adds bytes. A large buffer has pages of its own, which return to the system as soon as they are released. The heap
/// of Linux would retain freed memory of that size for each thread. Pages that are not filled yet take no memory, so a server that declares
/// a large body and sends a small one does not cost more than what it sends.
final class AppendOnlyBuffer {
  /// The least capacity in bytes of a buffer with pages of its own. For a smaller buffer, the memory that such pages save would not be
  /// worth the time that the system takes to provide them.
  static let pagedCapacity = 1 << 20

  private let memory: UnsafeMutableRawBufferPointer
  private let isPaged: Bool
  /// The number of filled bytes.
  private(set) var count = 0

  /// Creates an empty buffer.
  /// - Parameter capacity: the number of bytes that the buffer can have.
  convenience init(capacity: Int) {
    let pages = capacity < Self.pagedCapacity ? nil : Self.pages(capacity)
    self.init(memory: pages ?? .allocate(byteCount: capacity, alignment: 16), isPaged: pages != nil)
  }

  /// Creates an empty buffer with pages of its own. Returns nil if the system has no room for the capacity.
  convenience init?(pagedCapacity capacity: Int) {
    guard let pages = Self.pages(capacity) else { return nil }
    self.init(memory: pages, isPaged: true)
  }

  private init(memory: UnsafeMutableRawBufferPointer, isPaged: Bool) {
    (self.memory, self.isPaged) = (memory, isPaged)
  }

  deinit {
    if isPaged, let base = memory.baseAddress { munmap(base, memory.count) } else { memory.deallocate() }
  }

  private static func pages(_ count: Int) -> UnsafeMutableRawBufferPointer? {
    guard count > 0, let pages = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0), pages != MAP_FAILED else {
      return nil
    }
    return UnsafeMutableRawBufferPointer(start: pages, count: count)
  }

  /// Adds bytes. Returns false, and adds nothing, if there is no room for all of them.
  func append(_ bytes: Data) -> Bool {
    guard bytes.count <= memory.count - count else { return false }
    // The memory after the filled bytes belongs to no `Data` yet, so nothing reads it.
    bytes.copyBytes(to: UnsafeMutableRawBufferPointer(rebasing: memory[count...]))
    count += bytes.count
    return true
  }

  /// Calls `body` with the memory after the filled bytes. `body` fills the beginning of that memory, and returns the number of bytes that
  /// it has filled, or nil if it has filled none.
  /// - Returns: what `body` returns.
  func fill<Failure: Error>(_ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int?) throws(Failure) -> Int? {
    let filled = try body(UnsafeMutableRawBufferPointer(rebasing: memory[count...]))
    count += filled ?? 0
    return filled
  }

  /// Calls `body` with the filled bytes, which are valid as long as this object exists.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try body(UnsafeRawBufferPointer(rebasing: memory[..<count]))
  }

  /// Returns a part of the filled bytes as `Data` whose indices begin at 0. The `Data` retains the memory.
  ///
  /// A slice of a `Data` with all bytes would make this class unnecessary. But the indices of the slice would begin where the part begins,
  /// which would cause mistakes in callers.
  func data(_ range: Range<Int>) -> Data {
    guard !range.isEmpty, let base = memory.baseAddress else { return Data() }
    // The deallocator captures this object, so the memory outlives the `Data`. Nothing writes to filled bytes.
    return Data(bytesNoCopy: base + range.lowerBound, count: range.count, deallocator: .custom { _, _ in withExtendedLifetime(self) {} })
  }
}
