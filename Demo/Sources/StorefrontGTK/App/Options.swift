import Foundation

/// The options of the command line.
struct Options {
  /// Whether to run the tour, which scrolls, opens a print, goes back, and then writes a report.
  var isTour = false
  /// The limit on decoded pixels, in bytes.
  var maxPixelBytes = 64 << 20
  /// The folder of the tour's screenshots.
  var screenshots = URL(fileURLWithPath: "screenshots")

  struct Wrong: LocalizedError {
    let errorDescription: String?
  }

  init(_ arguments: some Sequence<String>) throws {
    var rest = arguments.makeIterator()
    while let argument = rest.next() {
      switch argument {
      case "--tour": isTour = true
      case "--memory":
        guard let megabytes = rest.next().flatMap(Int.init), (1...65_536).contains(megabytes) else {
          throw Wrong(errorDescription: "--memory needs a number of megabytes, such as --memory 16.")
        }
        maxPixelBytes = megabytes << 20
      case "--screenshots":
        guard let folder = rest.next() else { throw Wrong(errorDescription: "--screenshots needs a folder.") }
        screenshots = URL(fileURLWithPath: folder)
      default: throw Wrong(errorDescription: "There is no option \(argument); the options are --tour, --memory MB, and --screenshots DIR.")
      }
    }
  }
}
