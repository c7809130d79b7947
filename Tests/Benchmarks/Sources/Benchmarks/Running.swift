import Foundation

/// Measures the requested benchmarks, and prints each row when it is complete.
@MainActor func runHere(_ options: Options) async throws {
  for benchmark in options.benchmarks {
    for row in try await benchmark.run() { print(try row.json()) }
  }
}

/// Starts each benchmark in a separate process, so that no benchmark is affected by the heap, the threads, and the pools of another
/// benchmark. Before each start, it flushes the files of earlier benchmarks to the disk. Otherwise, the kernel would write these files
/// during a measurement, and the writes could count as the time of any thread.
/// - Returns: whether all rows are within their targets.
func runEach(_ options: Options) async throws -> Bool {
  let scratch = try Scratch()
  var allRowsPass = true
  var table = Table()
  for benchmark in options.benchmarks {
    let runs = try (0..<Effort.rounds(benchmark.processes)).map { _ in try rows(of: benchmark, in: scratch) }
    for place in runs[0].indices {
      let row = runs.map { $0[place] }.middle
      if !row.ok, !Effort.isQuick { allRowsPass = false }
      if options.isJSON { print(try Report(row).json()) } else { table.add(row) }
      fflush(nil)
    }
  }
  return allRowsPass
}

private func rows(of benchmark: Benchmark, in scratch: Scratch) throws -> [Row] {
  sync()
  let output = try Child.run(["--alone", "--only", benchmark.name], environment: scratch.environment)
  return try output.split(separator: "\n").map { try Row(json: String($0)) }
}

extension [Row] {
  fileprivate var middle: Row { sorted { $0.judged < $1.judged }[count / 2] }
}
