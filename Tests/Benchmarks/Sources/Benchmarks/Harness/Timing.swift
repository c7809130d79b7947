import CReference

/// Seconds that passed.
@MainActor func wallTime(_ body: @MainActor () async throws -> Void) async rethrows -> Double {
  let start = reference_wall_seconds()
  try await body()
  return reference_wall_seconds() - start
}

/// Seconds of the calling thread's processor time: what the code itself costs, whoever else wants the processor.
func threadTime(_ body: () throws -> Void) rethrows -> Double {
  let start = reference_thread_seconds()
  try body()
  return reference_thread_seconds() - start
}

/// Bytes that a program has out from malloc after the body more than before, if what it returns is kept.
func heapGrowth<Kept>(_ body: () throws -> Kept) rethrows -> (bytes: Double, kept: Kept) {
  let before = reference_heap_bytes()
  let kept = try body()
  return (Double(reference_heap_bytes()) - Double(before), kept)
}
