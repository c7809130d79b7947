import Foundation

/// Measures what is asked for, and prints a row as soon as it is there.
@MainActor func runHere(_ options: Options) async throws {
  for benchmark in options.benchmarks {
    for row in try await benchmark.run() { print(try row.json()) }
  }
}

/// Starts each benchmark in a process of its own, so that none finds what another left of heap, threads and pools.
/// - Returns: whether all is within its target.
func runEach(_ options: Options) async throws -> Bool {
  var isGreen = true
  var table = Table()
  for benchmark in options.benchmarks {
    let output = try Child.run(["--alone", "--only", benchmark.name])
    for line in output.split(separator: "\n") {
      let row = try Row(json: String(line))
      if !row.ok, !Effort.isQuick { isGreen = false }
      if options.isJSON { print(try Report(row).json()) } else { table.add(row) }
      fflush(nil)
    }
  }
  return isGreen
}
