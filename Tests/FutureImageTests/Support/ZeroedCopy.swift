#if canImport(UIKitStandIn) && !canImport(UIKit)
import FutureImage
import Glibc

extension UIImage {
  /// A copy of the same class whose Swift fields are zero bytes, as UIKit may make it: the worst case, since default values are kinder.
  func zeroedCopy() -> UIImage {
    let metadata: AnyClass = type(of: self)
    let size = instanceSize(metadata)
    // The object has its class's size and header; all fields behind the header are zero, which is what is to be tried.
    let memory = allocateObject(unsafeBitCast(metadata, to: UnsafeRawPointer.self), size, 15)
    let header = 2 * MemoryLayout<UnsafeRawPointer>.size
    memset(memory + header, 0, size - header)
    let copy = Unmanaged<UIImage>.fromOpaque(memory).takeRetainedValue()
    copy.takeContent(of: self)
    return copy
  }
}

/// `_class_getInstancePositiveExtentSize(_:)` of the standard library, which does not declare it for others: the bytes of an instance.
@_silgen_name("$ss36_class_getInstancePositiveExtentSizeySiyXlXpF")
private func instanceSize(_ type: AnyClass) -> Int

/// The Swift runtime's, a C function that no module declares.
private let allocateObject: @convention(c) (UnsafeRawPointer, Int, Int) -> UnsafeMutableRawPointer = {
  typealias Allocate = @convention(c) (UnsafeRawPointer, Int, Int) -> UnsafeMutableRawPointer
  guard let symbol = dlsym(nil, "swift_allocObject") else { preconditionFailure("the Swift runtime has no swift_allocObject") }
  return unsafeBitCast(symbol, to: Allocate.self)
}()
#endif
