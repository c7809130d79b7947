import CServer
import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// The last argument. These command lines are possible:
/// - `Simulation SEED [OPERATIONS [PREEMPTIONS [ACTORS [FUTURES]]]] [--story]` runs a seed. With `--story`, it prints the trace.
/// - `Simulation --serve` makes a run for each line of such numbers on standard input, one after the other.
/// - `Simulation --workloads` prints the names of the workloads, one on each line.
/// - `Simulation [SEED …] --self-check NAME` runs an intentional fault.
let option = CommandLine.arguments.last
if option == "--workloads" {
  for workload in Workload.allCases { print(workload.rawValue) }
  exit(0)
}
// Makes the images before the fork and outside of the simulation, so that a served run does the same as a run without `--serve`.
_ = StressTest.pictures
let numbers = (option == "--serve" ? servedArguments() : CommandLine.arguments.dropFirst()).compactMap { UInt64($0) }
let seed = numbers.first ?? 1
let scale = Scale(numbers.dropFirst())
let tells = option == "--story"
let workload = Workload(of: seed)
let simulator = Simulator(
  seed: seed, limit: 3_000_000, preemptions: scale.preemptions, length: workload.length(each: scale.operations), tells: tells)
Simulation.begin(simulator)
Traps.prepareThread()
Traps.report { simulator.trapped($0) }

if let check = option.flatMap({ SelfCheck(rawValue: $0) }) { check.run() }
let faults = workload.run(seed: seed, each: scale.operations)
if tells { simulator.story.print() }
for fault in faults { print("FOUND: \(fault)") }
simulator.summarize()
exit(faults.isEmpty ? 0 : 1)

/// Forks a process for each run, and returns the arguments of the run in that process. Never returns in the process that serves the runs.
func servedArguments() -> ArraySlice<String> {
  var line = [CChar](repeating: 0, count: 200)
  guard serve_next_run(&line, Int32(line.count)) else { exit(0) }
  let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  return text.split(whereSeparator: \.isWhitespace).map(String.init)[...]
}
