import CReference

/// Returns the elapsed time of the body in seconds.
@MainActor func wallTime(_ body: @MainActor () async throws -> Void) async rethrows -> Double {
  let start = reference_wall_seconds()
  try await body()
  return reference_wall_seconds() - start
}

/// Returns the calling thread's processor time in seconds: the cost of the code itself, regardless of other work on the processor.
func threadTime(_ body: () throws -> Void) rethrows -> Double {
  let start = reference_thread_seconds()
  try body()
  return reference_thread_seconds() - start
}

/// Returns how many more bytes malloc has allocated after the body than before it, while the body's result is retained.
func heapGrowth<Kept>(_ body: () throws -> Kept) rethrows -> (bytes: Double, kept: Kept) {
  let before = reference_heap_bytes()
  let kept = try body()
  return (Double(reference_heap_bytes()) - Double(before), kept)
}
