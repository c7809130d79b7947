// The SDK's module for zlib.h, in the form in which the compiler imports it.
// Facts: zlib.h: crc32.
public func crc32(_ crc: UInt, _ buf: UnsafePointer<UInt8>!, _ len: UInt32) -> UInt { crc }
