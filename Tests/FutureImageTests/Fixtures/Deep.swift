import Foundation

/// Whether tests use larger counts than usual: `FUTUREIMAGE_DEEP` in the environment.
let isDeep = ProcessInfo.processInfo.environment["FUTUREIMAGE_DEEP"] != nil
