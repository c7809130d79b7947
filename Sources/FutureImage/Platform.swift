// The frameworks that every file of the library can use. Declarations that differ between platforms are in the files `Platform+NAME.swift`.
#if canImport(UIKit)
@_exported import UIKit
#elseif canImport(UIKitStandIn)
@_exported import Foundation
@_exported import UIKitStandIn
#else
#error(
  "FutureImage needs UIKit (iOS, tvOS, visionOS, Mac Catalyst) or Linux, where its own UIKitStandIn takes UIKit's place; this platform has neither."
)
#endif

/// The time of a file's last write. The name of the field differs between platforms.
func modificationTime(of status: stat) -> timespec {
  #if canImport(Darwin)
  status.st_mtimespec
  #else
  status.st_mtim
  #endif
}
