import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// `Simulation SEED [OPERATIONS [PREEMPTIONS]] [--story]`
let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
let seed = numbers.first ?? 1
let operations = numbers.dropFirst().first.map { Int($0) } ?? 20
let preemptions = numbers.dropFirst(2).first.map { Int($0) } ?? .max
let tells = CommandLine.arguments.last == "--story"
let simulator = Simulator(seed: seed, limit: 3_000_000, preemptions: preemptions, tells: tells)
Simulation.begin(simulator)
// What the library's own checks find ends the process: not before it is told.
for fault in [SIGILL, SIGTRAP, SIGSEGV] {
  signal(fault) { fault in
    if tells { simulator.story.print() }
    simulator.summarize()
    exit(fault)
  }
}

final class Outcome: @unchecked Sendable {
  // One thread at a time runs.
  var faults: [String]?
}

let faults: [String]
switch seed % 8 {
case 0:
  let outcome = Outcome()
  _ = Together.task { outcome.faults = await Fair.day(seed: seed, each: operations) }
  simulator.run { outcome.faults != nil }
  faults = outcome.faults ?? []
case 1: faults = Fair.opening(seed: seed, each: operations)
case 2: faults = Fair.wishes(seed: seed, each: operations)
case 3: faults = Fair.changes(seed: seed, each: operations)
case 4: faults = Fair.hush(seed: seed, each: operations)
case 5: faults = Shelf.day(seed: seed, each: operations)
case 6: faults = Fair.weather(seed: seed, each: operations)
default: faults = Fair.hush(seed: seed, each: operations, watch: LockWatch())
}
if tells { simulator.story.print() }
for fault in faults { print("FOUND: \(fault)") }
simulator.summarize()
exit(faults.isEmpty ? 0 : 1)
