// Declarations for all of Apple's platforms. `Platform+Linux.swift` has the same declarations for Linux.
#if canImport(CoreGraphics)
import ImageIO
import Network
import UniformTypeIdentifiers
import os

let platformFetcher: any FutureImage.Fetcher = FutureImage.URLSessionFetcher()
func makePlatformDecoder(_ limits: FutureImage.DecodingLimits) -> any FaultReportingDecoder { ImageIODecoder(limits: limits) }
/// The MIME types of the formats that the system decodes.
let platformImageTypes = Set((CGImageSourceCopyTypeIdentifiers() as? [String] ?? []).compactMap { UTType($0)?.preferredMIMEType })

/// Whether the pixels have no alpha channel.
func isOpaque(_ bitmap: CGImage) -> Bool { [.none, .noneSkipFirst, .noneSkipLast].contains(bitmap.alphaInfo) }

/// Writes the text to the console of Xcode and to the Console app, where a developer sees it.
func writePlatformLog(_ text: String) { Logger(subsystem: "FutureImage", category: "warnings").fault("\(text, privacy: .public)") }

/// The name of the program: its bundle identifier, or the name of its process.
func programName() -> String { Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName }

/// The bytes that the process may still use before the system ends it; nil if the system does not provide this number.
///
/// `os_proc_available_memory` returns 0 for a process that is not an app, and for a process that already exceeds its limit (Apple's
/// documentation). The function is looked up at run time, because Mac Catalyst apps that linked the function could not start on systems
/// that lack it ([bugsnag-cocoa #1025](https://github.com/bugsnag/bugsnag-cocoa/issues/1025)).
func availableMemory() -> Int? {
  guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "os_proc_available_memory") else { return nil }
  // The function of that name takes no arguments and returns a size.
  let bytes = unsafeBitCast(symbol, to: (@convention(c) () -> Int).self)()
  return bytes > 0 ? bytes : nil
}

/// An observer that calls a closure when the system reports memory pressure. It works in every process, whereas memory warnings reach only
/// apps and extensions with a user interface.
final class MemoryPressure: @unchecked Sendable {
  // Sendable: `source` is written in `init` and used in `deinit`, and a dispatch source may be used on any thread.
  private let source: any DispatchSourceMemoryPressure

  /// - Parameter action: runs on a system queue, at each change to "warning" or "critical".
  init(_ action: @escaping @Sendable () -> Void) {
    source = DispatchSource.makeMemoryPressureSource(eventMask: [.warning, .critical], queue: .global(qos: .utility))
    source.setEventHandler { action() }
    source.activate()
  }

  deinit {
    source.cancel()
  }
}

extension AppGroup {
  /// Whether this program is an app extension.
  static var isExtension: Bool { isExtension(Bundle.main.bundleURL) }

  /// Returns the folder for caches in the group's container.
  ///
  /// On iOS, the container of a group is nil for a program that is not a member (Apple,
  /// `containerURL(forSecurityApplicationGroupIdentifier:)`).
  static func cachesDirectory(_ identifier: String) throws(FutureImage.FileFailure) -> URL {
    guard let container = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: identifier) else {
      throw FutureImage.FileFailure(.noContainer, path: identifier)
    }
    return container.appendingPathComponent("Library/Caches", isDirectory: true)
  }
}

extension POSIXFileSystem {
  /// Calls `write(2)`. It would send a signal if a file exceeded a limit on the size of files, but apps have no such limit.
  func writeWithoutSignal(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
  }
}

extension URLRequest {
  mutating func keepOff(_ networks: Set<FutureImage.NetworkTrait>) {
    allowsConstrainedNetworkAccess = !networks.contains(.constrained)
    allowsExpensiveNetworkAccess = !networks.contains(.expensive)
  }
}

extension URLError {
  /// Whether the request failed because it avoids the only network that was available.
  var isOfAvoidedNetwork: Bool { networkUnavailableReason == .constrained || networkUnavailableReason == .expensive }
}

/// An observer of the device's networks, which is active for as long as it is retained.
private final class NetworkWatch: Sendable {
  private let monitor = NWPathMonitor()

  init(onReturn: @escaping @Sendable () -> Void) {
    let returns = Lock(NetworkReturns())
    monitor.pathUpdateHandler = { path in
      if returns.withLock({ $0.isReturn(isReachable: path.status == .satisfied) }) { onReturn() }
    }
    monitor.start(queue: .global(qos: .utility))
  }

  deinit { monitor.cancel() }
}

func watchPlatformNetwork(onReturn: @escaping @Sendable () -> Void) -> (any Sendable)? { NetworkWatch(onReturn: onReturn) }
#endif
