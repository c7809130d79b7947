import Foundation

@testable import FutureImage
@testable import FutureImageTesting

let seed = CommandLine.arguments.dropFirst().first.flatMap { UInt64($0) } ?? 1
let operations = CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 20
let tells = CommandLine.arguments.last == "--story"
let simulator = Simulator(seed: seed, limit: 3_000_000, tells: tells)
Simulation.begin(simulator)

final class Outcome: @unchecked Sendable {
  // One thread at a time runs.
  var faults: [String]?
}

let faults: [String]
switch seed % 4 {
case 0:
  let outcome = Outcome()
  _ = Together.task { outcome.faults = await Fair.day(seed: seed, each: operations) }
  simulator.run { outcome.faults != nil }
  faults = outcome.faults ?? []
case 1: faults = Fair.opening(seed: seed, each: operations)
default: faults = Fair.hush(seed: seed, each: operations)
}
if tells { simulator.story.print() }
for fault in faults { print("FOUND: \(fault)") }
print("seed \(seed): \(simulator.steps) steps, \(simulator.now) of time, story \(String(simulator.story.digest, radix: 16))")
exit(faults.isEmpty ? 0 : 1)
