/// The options of the command line.
struct Options {
  static let help = """
    Benchmarks [--json] [--quick] [--only NAME]… [--cores N] [--list]
    Benchmarks --thumbnails FOLDER FILE…

      --json       one JSON object on each line; README.md explains the fields
      --quick      one round of each benchmark, with less data; shows only that all of them run; exits with 0 whatever the figures are
      --only NAME  only the benchmarks whose names begin with NAME; may be repeated
      --cores N    runs on N cores; the targets are for 2 cores, which is the default
      --list       prints the names of the benchmarks
      --thumbnails FOLDER FILE…
                   writes a thumbnail of each file to the folder, on all cores: for Tests/Benchmarks/thumbnails
    """

  var isJSON = false
  var only: [String] = []
  var cores: Int32 = 2
  /// Whether to measure in this process. A run without `--alone` starts a process with `--alone` for each benchmark.
  var isAlone = false
  /// The part of a benchmark for which this process was started; nil for whole benchmarks.
  var part: Part?
  /// The thumbnailer, if it runs instead of the benchmarks.
  var thumbnailer: Thumbnailer?

  struct Refused: Error, CustomStringConvertible {
    let description: String
  }

  init(_ arguments: ArraySlice<String>) throws {
    var rest = arguments
    func value(of option: String) throws -> String {
      guard let value = rest.popFirst() else { throw Refused(description: "\(option) needs a value\n\(Self.help)") }
      return value
    }
    while let argument = rest.popFirst() {
      switch argument {
      case "--json": isJSON = true
      case "--quick": Effort.isQuick = true
      case "--only": only.append(try value(of: argument))
      case "--cores":
        guard let cores = Int32(try value(of: argument)), cores > 0 else { throw Refused(description: "--cores needs a positive number") }
        self.cores = cores
      case "--alone": isAlone = true
      case "--part": part = Part(rawValue: try value(of: argument))
      case "--thumbnails":
        thumbnailer = Thumbnailer(folder: try value(of: argument), files: Array(rest))
        rest = []
      case "--list": throw Refused(description: Benchmark.all.map(\.name).joined(separator: "\n"))
      case "--help": throw Refused(description: Self.help)
      default: throw Refused(description: "unknown option \(argument)\n\(Self.help)")
      }
    }
  }

  var benchmarks: [Benchmark] {
    only.isEmpty ? Benchmark.all : Benchmark.all.filter { benchmark in only.contains { benchmark.name.hasPrefix($0) } }
  }
}
