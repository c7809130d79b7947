import CServer
import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// `Simulation SEED [OPERATIONS [PREEMPTIONS [VISITORS [FUTURES]]]] [--story]`; `Simulation --serve` for one such line of numbers after the
/// other on standard input; `Simulation --workloads` for the names of the workloads, one a line; or `Simulation --self-check NAME`.
let option = CommandLine.arguments.last
if option == "--workloads" {
  for workload in Workload.allCases { print(workload.rawValue) }
  exit(0)
}
// Before the fork, and outside of the simulation either way, so that a served run is the same as one alone.
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

/// Returns the arguments of a run, in a new process for it; the process that serves never returns.
func servedArguments() -> ArraySlice<String> {
  var line = [CChar](repeating: 0, count: 200)
  guard serve_next_run(&line, Int32(line.count)) else { exit(0) }
  let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  return text.split(whereSeparator: \.isWhitespace).map(String.init)[...]
}
