// swift list.swift declarations|undocumented FOLDER: prints the public declarations of the symbol graphs in the folder, one on each line.
// With `undocumented`, it prints only declarations without documentation.
import Foundation

struct Graph: Decodable {
  struct Symbol: Decodable {
    struct Identifier: Decodable {
      let precise: String
    }
    struct Kind: Decodable {
      let identifier: String
    }
    struct Fragment: Decodable {
      let spelling: String
    }
    struct Comment: Decodable {}
    struct Location: Decodable {
      struct Position: Decodable {
        let line: Int
      }
      let uri: String
      let position: Position
    }
    struct Extension: Decodable {
      struct Constraint: Decodable {
        let kind: String
        let lhs: String
        let rhs: String
      }
      let constraints: [Constraint]?
    }

    let identifier: Identifier
    let kind: Kind
    let pathComponents: [String]
    let declarationFragments: [Fragment]
    let docComment: Comment?
    let accessLevel: String
    let location: Location?
    let swiftExtension: Extension?

    var path: String { pathComponents.joined(separator: ".") }
    var isExtension: Bool { kind.identifier == "swift.extension" }

    /// The declaration in one line, including the constraints of an extension on its type.
    var declaration: String {
      let text = declarationFragments.map(\.spelling).joined().split(whereSeparator: \.isWhitespace).joined(separator: " ")
      let constraints = (swiftExtension?.constraints ?? []).map { constraint in
        let relation = ["conformance": ":", "superclass": ":", "sameType": "=="][constraint.kind] ?? constraint.kind
        return "\(constraint.lhs) \(relation) \(constraint.rhs)"
      }
      return constraints.isEmpty || text.contains(" where ") ? text : text + " where " + constraints.sorted().joined(separator: ", ")
    }

    /// Whether this is `init()`, or an initializer whose labels are all names of properties. The comments on the type and on the properties
    /// document such an initializer.
    func isPlainInitializer(among properties: [String: Set<String>]) -> Bool {
      guard kind.identifier == "swift.init", let name = pathComponents.last else { return false }
      let labels = name.drop { $0 != "(" }.dropFirst().dropLast().split(separator: ":").map(String.init)
      let known = properties[pathComponents.dropLast().joined(separator: ".")] ?? []
      return labels.allSatisfy { known.contains($0) }
    }
  }

  struct Relationship: Decodable {
    let kind: String
    let source: String
    let target: String
    let targetFallback: String?
  }

  let symbols: [Symbol]
  let relationships: [Relationship]
}

guard CommandLine.arguments.count == 3, ["declarations", "undocumented"].contains(CommandLine.arguments[1]) else {
  print("usage: swift list.swift declarations|undocumented FOLDER")
  exit(2)
}
let files = try FileManager.default.contentsOfDirectory(at: URL(fileURLWithPath: CommandLine.arguments[2]), includingPropertiesForKeys: nil)
  .filter { $0.lastPathComponent.hasSuffix(".symbols.json") }
let graphs = try files.map { try JSONDecoder().decode(Graph.self, from: Data(contentsOf: $0)) }
let symbols = graphs.flatMap(\.symbols)

if CommandLine.arguments[1] == "undocumented" {
  var properties: [String: Set<String>] = [:]
  for symbol in symbols where symbol.kind.identifier == "swift.property" {
    properties[symbol.pathComponents.dropLast().joined(separator: "."), default: []].insert(symbol.pathComponents.last ?? "")
  }
  let undocumented = symbols.filter { $0.docComment == nil && !$0.isExtension && !$0.isPlainInitializer(among: properties) }
  for symbol in undocumented.sorted(by: { $0.path < $1.path }) {
    let place = symbol.location.map { " (\(($0.uri as NSString).lastPathComponent):\($0.position.line + 1))" } ?? ""
    print("\(symbol.path)\(place): \(symbol.declaration)")
  }
  exit(undocumented.isEmpty ? 0 : 1)
}

var names: [String: String] = [:]
for symbol in symbols { names[symbol.identifier.precise] = symbol.path }
var conformances: [String: Set<String>] = [:]
for relationship in graphs.flatMap(\.relationships) where ["conformsTo", "inheritsFrom"].contains(relationship.kind) {
  guard let target = names[relationship.target] ?? relationship.targetFallback else { continue }
  conformances[relationship.source, default: []].insert(target)
}
// The protocols to which every type conforms. Only newer compilers list these conformances.
let implicitProtocols: Set = ["Copyable", "Escapable", "SendableMetatype"]
let lines = symbols.map { symbol in
  let owner = symbol.pathComponents.dropLast().joined(separator: ".")
  let declaration = (symbol.accessLevel == "open" ? "open " : "") + symbol.declaration
  let conformances = conformances[symbol.identifier.precise, default: []].map { $0.hasPrefix("Swift.") ? String($0.dropFirst(6)) : $0 }
  return (
    symbol.path,
    ([owner, declaration] + conformances.filter { !implicitProtocols.contains($0) }.sorted())
      .filter { !$0.isEmpty }.joined(separator: " | ")
  )
}
var last = ""
for (_, line) in lines.sorted(by: { $0 < $1 }) where line != last {
  print(line)
  last = line
}
