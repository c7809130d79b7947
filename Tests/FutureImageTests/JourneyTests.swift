import Foundation
import Testing

private let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  .appendingPathComponent("Sources/FutureImage")
/// False on a device, which has no sources.
private let hasSources = FileManager.default.fileExists(atPath: sources.path)

/// The functions that the journeys of the Architecture page name, with their files.
@Suite(.enabled(if: hasSources, "the sources are not on the machine that runs the tests"), .timeLimit(.minutes(5)))
struct JourneyTests {
  private struct Station: Hashable {
    let name: String
    let file: String
  }

  /// Each journey's functions, by its title.
  private let journeys: [String: Set<Station>]

  init() throws {
    let page = try String(contentsOf: sources.appendingPathComponent("Documentation.docc/Architecture.md"), encoding: .utf8)
    let begin = try #require(page.range(of: "\n## Four journeys\n")?.upperBound)
    let end = try #require(page.range(of: "\n## ", range: begin..<page.endIndex)?.lowerBound)
    var journeys: [String: Set<Station>] = [:]
    for part in page[begin..<end].split(separator: "\n### ") {
      let title = part.prefix { $0 != "\n" }
      // A line may end between the two.
      let stations = part.matches(of: #/`(\w+)`\s+\(`([^`\s]+\.swift)`\)/#).map { Station(name: String($0.1), file: String($0.2)) }
      journeys[String(title)] = Set(stations)
    }
    self.journeys = journeys
  }

  @Test func `there are four journeys after the introduction, three of many functions and one of a dozen`() {
    #expect(journeys.count == 5)
    #expect(journeys.values.count { $0.count >= 30 } == 3)
    #expect(journeys.values.count { $0.count >= 12 } == 4)
    #expect(journeys.values.reduce(into: Set()) { $0.formUnion($1) }.count >= 60)
  }

  @Test func `each function is declared in the file that the page gives`() throws {
    let stations = journeys.values.reduce(into: Set()) { $0.formUnion($1) }
    for (file, stations) in Dictionary(grouping: stations, by: \.file) {
      let text = try String(contentsOf: sources.appendingPathComponent(file), encoding: .utf8)
      for name in stations.map(\.name) {
        let declarations = ["func \(name)(", "func \(name)<", "var \(name):"]
        #expect(declarations.contains { text.contains($0) }, "\(file) does not declare \(name)")
      }
    }
  }
}
