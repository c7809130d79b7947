#if canImport(UIKitStandIn) && !canImport(UIKit)
import FutureImage
import Glibc

extension UIImage {
  /// Returns a copy of the same class whose Swift stored properties are zero bytes, as UIKit may create it. Zero bytes are the worst case,
  /// because default values are at least valid.
  func zeroedCopy() -> UIImage {
    let metadata: AnyClass = type(of: self)
    let size = instanceSize(metadata)
    // The object has the size and the header of its class. All fields after the header are zero, which is the case to test.
    let memory = allocateObject(unsafeBitCast(metadata, to: UnsafeRawPointer.self), size, 15)
    let header = 2 * MemoryLayout<UnsafeRawPointer>.size
    memset(memory + header, 0, size - header)
    let copy = Unmanaged<UIImage>.fromOpaque(memory).takeRetainedValue()
    copy.takeContent(of: self)
    return copy
  }
}

/// Returns the size of an instance in bytes. This is `_class_getInstancePositiveExtentSize(_:)` of the standard library, which is not
/// public.
@_silgen_name("$ss36_class_getInstancePositiveExtentSizeySiyXlXpF")
private func instanceSize(_ type: AnyClass) -> Int

/// The allocator of the Swift runtime, a C function that no module declares.
private let allocateObject: @convention(c) (UnsafeRawPointer, Int, Int) -> UnsafeMutableRawPointer = {
  typealias Allocate = @convention(c) (UnsafeRawPointer, Int, Int) -> UnsafeMutableRawPointer
  guard let symbol = dlsym(nil, "swift_allocObject") else { preconditionFailure("the Swift runtime has no swift_allocObject") }
  return unsafeBitCast(symbol, to: Allocate.self)
}()
#endif
