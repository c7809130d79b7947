/// The default byte limits of a loader, from the memory that the process may use. Pure.
///
/// An extension may use 30 to 120 MB on a device with gigabytes, and is ended when it uses more. The same may happen to a container's
/// process on Linux. These shares leave room for the program itself:
///
/// - retained pixels: at most an eighth of the physical memory, a quarter of the available memory, and 512 MB;
/// - one body: a quarter of the available memory, at most 64 MB;
/// - all concurrent decodes: half of the available memory, as far as that allows more than one; each by itself at most 400 MB.
///
/// | available | physical | pixels kept | one body | decodes | pixels of one | besides |
/// | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
/// | 4 MB (at a peak) | 4 GB | 4 MB | 8 MB | 1 | 16 MB | 8 MB |
/// | 25 MB (a widget) | 4 GB | 6.25 MB | 8 MB | 1 | 16 MB | 8 MB |
/// | 100 MB (a share extension) | 4 GB | 25 MB | 25 MB | 1 | 32 MB | 16 MB |
/// | 256 MB (a container) | 16 GB | 64 MB | 64 MB | 2 | 81.9 MB | 41 MB |
/// | 1.2 GB (an app) | 3 GB | 307.2 MB | 64 MB | cores | 256 MB | 128 MB |
/// | 2 GB (an app) | 4 GB | 512 MB | 64 MB | cores | 256 MB | 128 MB |
/// | unknown | 2 GB | 256 MB | 64 MB | cores | 256 MB | 128 MB |
///
/// The available memory is read once, perhaps at a peak. So no limit is below a floor with which ordinary images still load: 4 MB of
/// pixels, 8 MB of one body, and a sixteenth of the default limits of a decode.
///
/// "Besides" are the bytes that a decode may need temporarily: ``FutureImage/DecodingLimits/maxHeldBytes``. `coefficientBytes` is a quarter
/// larger: a progressive JPEG whose coefficients take that much has at most 56 million pixels, so all of it takes less than 400 MB.
struct ProcessMemory {
  /// The memory of the machine, in bytes.
  var physical: Int
  /// The bytes that the process may still use (Apple) or may use in total (a control group); nil if only the machine is a limit.
  var available: Int?

  var usable: Int { min(available ?? physical, physical) }

  var maxPixelBytes: Int { max(4 << 20, min(512 << 20, physical / 8, usable / 4)) }

  var maxBytes: Int { max(8 << 20, min(64 << 20, usable / 4)) }

  func maxDecodes(cores: Int) -> Int { max(1, min(max(2, cores), usable / (128 << 20))) }
}

extension ProcessMemory {
  /// The memory of this process, now.
  static var current: ProcessMemory {
    ProcessMemory(physical: Int(clamping: ProcessInfo.processInfo.physicalMemory), available: availableMemory())
  }
}
