import CReference
import Foundation

#if DEBUG
complain("this is a debug build, whose figures mean nothing; build with `-c release`")
exit(2)
#else
do {
  let options = try Options(CommandLine.arguments.dropFirst())
  // Set the variable and restrict the cores before other threads exist. The processes of the benchmarks and of nginx inherit both settings.
  setenv("no_proxy", "*", 1)
  if !options.isAlone, options.part == nil, options.thumbnailer == nil { reference_use_cores(options.cores) }
  if let thumbnailer = options.thumbnailer {
    try await thumbnailer.run()
  } else if let part = options.part {
    print(try await part.measure())
  } else if options.isAlone {
    try await runHere(options)
  } else {
    exit(try await runEach(options) ? 0 : 1)
  }
} catch {
  complain("\(error)")
  exit(2)
}
#endif

func complain(_ text: String) {
  FileHandle.standardError.write(Data("Benchmarks: \(text)\n".utf8))
}
