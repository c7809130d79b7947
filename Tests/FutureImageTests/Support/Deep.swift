import Foundation

/// Whether counts are to be larger than usual: `FUTUREIMAGE_DEEP` in the environment.
let isDeep = ProcessInfo.processInfo.environment["FUTUREIMAGE_DEEP"] != nil
