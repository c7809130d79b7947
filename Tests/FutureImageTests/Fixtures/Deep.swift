import Foundation

/// Whether tests use larger counts than usual, because the environment variable `FUTUREIMAGE_DEEP` is set.
let isDeep = ProcessInfo.processInfo.environment["FUTUREIMAGE_DEEP"] != nil
