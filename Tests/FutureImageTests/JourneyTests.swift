import Foundation
import Testing

private let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  .appendingPathComponent("Sources/FutureImage")
/// False on a device, which has no sources.
private let hasSources = FileManager.default.fileExists(atPath: sources.path)

/// The functions that the journeys of the Architecture page list, with their files.
@Suite(.enabled(if: hasSources, "the sources are not on the machine that runs the tests"), .timeLimit(.minutes(5)))
struct JourneyTests {
  private struct Station {
    let name: String
    let file: String
  }

  private let stations: [Station]

  init() throws {
    let page = try String(contentsOf: sources.appendingPathComponent("Documentation.docc/Architecture.md"), encoding: .utf8)
    stations = page.matches(of: #/\n\d+\. `(\w+)`, `([^`]+\.swift)`:/#).map { Station(name: String($0.1), file: String($0.2)) }
  }

  @Test func `each station is declared in the file that the page gives`() throws {
    #expect(stations.count > 90)
    for station in stations {
      let text = try String(contentsOf: sources.appendingPathComponent(station.file), encoding: .utf8)
      let declarations = ["func \(station.name)(", "func \(station.name)<", "var \(station.name):"]
      #expect(declarations.contains { text.contains($0) }, "\(station.file) does not declare \(station.name)")
    }
  }
}
