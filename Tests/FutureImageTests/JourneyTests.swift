import Foundation
import Testing

private let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  .appendingPathComponent("Sources/FutureImage")
/// False on a device, which has no sources.
private let hasSources = FileManager.default.fileExists(atPath: sources.path)

/// The functions that the journeys of the Architecture page list, with their files and lines.
@Suite(.enabled(if: hasSources, "the sources are not on the machine that runs the tests"), .timeLimit(.minutes(5)))
struct JourneyTests {
  private struct Station {
    let name: String
    let file: String
    let line: Int
  }

  private let stations: [Station]

  init() throws {
    let page = try String(contentsOf: sources.appendingPathComponent("Documentation.docc/Architecture.md"), encoding: .utf8)
    stations = try page.matches(of: #/\n\d+\. `(\w+)`, `([^`]+\.swift):(\d+)`:/#).map { match in
      Station(name: String(match.1), file: String(match.2), line: try #require(Int(match.3)))
    }
  }

  @Test func `each station is declared in the line that the page gives`() throws {
    #expect(stations.count > 90)
    for station in stations {
      let lines = try String(contentsOf: sources.appendingPathComponent(station.file), encoding: .utf8)
        .split(separator: "\n", omittingEmptySubsequences: false)
      let declarations = ["func \(station.name)(", "func \(station.name)<", "var \(station.name):"]
      let declared = lines.indices.filter { index in declarations.contains { lines[index].contains($0) } }
      let numbers = declared.map { $0 + 1 }
      #expect(numbers.contains(station.line), "\(station.name) is declared in \(station.file) in the lines \(numbers), not \(station.line)")
    }
  }
}
