// The SDKs' module of zlib.h, as its importer shows it.
// Facts: zlib.h: crc32.
public func crc32(_ crc: UInt, _ buf: UnsafePointer<UInt8>!, _ len: UInt32) -> UInt { crc }
