#if canImport(UIKit)
extension POSIXFileSystem {
  /// Writes as `write(2)` does. Apps have no limit on the size of files.
  func writeWithoutSignal(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
  }
}
#endif
