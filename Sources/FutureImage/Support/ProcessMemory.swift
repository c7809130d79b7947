/// The default byte limits of a loader, computed from the memory that the process may use. The computation is pure.
///
/// On a device with gigabytes of memory, an extension may use only 30 to 120 MB, and the system ends an extension that uses more. The same
/// may happen to a process in a container on Linux. These shares leave room for the program itself:
///
/// - retained pixels: an eighth of the physical memory, a quarter of the available memory, or 512 MB, whichever is least;
/// - one body: a quarter of the available memory, at most 64 MB;
/// - one decode: half of the available memory, at most 400 MB;
/// - the number of concurrent decodes: one for each 128 MB of the available memory, but at least one, and at most one for each core (on a
///   single core, two).
///
/// | available | physical | retained pixels | one body | decodes | pixels of one decode | besides |
/// | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
/// | 4 MB (at a peak) | 4 GB | 4 MB | 8 MB | 1 | 16 MB | 8 MB |
/// | 25 MB (a widget) | 4 GB | 6.25 MB | 8 MB | 1 | 16 MB | 8 MB |
/// | 100 MB (a share extension) | 4 GB | 25 MB | 25 MB | 1 | 32 MB | 16 MB |
/// | 256 MB (a container) | 16 GB | 64 MB | 64 MB | 2 | 81.9 MB | 41 MB |
/// | 1.2 GB (an app) | 3 GB | 307.2 MB | 64 MB | cores | 256 MB | 128 MB |
/// | 2 GB (an app) | 4 GB | 512 MB | 64 MB | cores | 256 MB | 128 MB |
/// | unknown | 2 GB | 256 MB | 64 MB | cores | 256 MB | 128 MB |
///
/// The available memory is read once, perhaps while the process uses most of it. So each limit has a minimum with which ordinary images
/// still load: 4 MB for pixels, 8 MB for one body, and a sixteenth of the default limits for a decode.
///
/// "Besides" are the bytes that a decode may need temporarily: ``FutureImage/DecodingLimits/maxHeldBytes``. The limit for the coefficients
/// of a progressive JPEG, `maxCoefficientBytes`, is five quarters of `maxHeldBytes`. With 4:2:0, a JPEG whose coefficients use that limit
/// has 56 million pixels, so its whole decode uses less than 400 MB.
struct ProcessMemory {
  /// The memory of the machine, in bytes.
  var physical: Int
  /// The bytes that the process may still use (Apple) or may use in total (a control group); nil if only the machine's memory is a limit.
  var available: Int?

  var usable: Int { min(available ?? physical, physical) }

  var maxPixelBytes: Int { max(4 << 20, min(512 << 20, physical / 8, usable / 4)) }

  var maxBytes: Int { max(8 << 20, min(64 << 20, usable / 4)) }

  func maxDecodes(cores: Int) -> Int { max(1, min(max(2, cores), usable / (128 << 20))) }
}

extension ProcessMemory {
  /// The current memory of this process.
  static var current: ProcessMemory {
    ProcessMemory(physical: Int(clamping: ProcessInfo.processInfo.physicalMemory), available: availableMemory())
  }
}
