import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// `Simulation SEED [OPERATIONS [PREEMPTIONS [VISITORS [FUTURES]]]] [--story]`, `Simulation --workloads` for the names of the workloads,
/// one a line, or `Simulation --self-check NAME`.
let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
let seed = numbers.first ?? 1
let scale = Scale(numbers.dropFirst())
let tells = CommandLine.arguments.last == "--story"
let workload = Workload(of: seed)
if CommandLine.arguments.last == "--workloads" {
  for workload in Workload.allCases { print(workload.rawValue) }
  exit(0)
}
let simulator = Simulator(
  seed: seed, limit: 3_000_000, preemptions: scale.preemptions, length: workload.length(each: scale.operations), tells: tells)
Simulation.begin(simulator)
// The library's own checks end the process. The fault is printed first.
for fault in [SIGILL, SIGTRAP, SIGSEGV] {
  signal(fault) { fault in
    simulator.trapped(fault)
  }
}

if let check = CommandLine.arguments.last.flatMap({ SelfCheck(rawValue: $0) }) { check.run() }
let faults = workload.run(seed: seed, each: scale.operations)
if tells { simulator.story.print() }
for fault in faults { print("FOUND: \(fault)") }
simulator.summarize()
exit(faults.isEmpty ? 0 : 1)
