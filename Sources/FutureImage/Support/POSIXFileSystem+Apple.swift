#if canImport(UIKit)
extension POSIXFileSystem {
  /// Writes as `write(2)` does. No limit on the size of files applies to apps.
  func writeWithoutSignal(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
  }
}
#endif
