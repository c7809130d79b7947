import Foundation

enum Samples {
  static let gzipContent = Data(repeating: UInt8(ascii: "a"), count: 3000)
  /// `gzipContent`, compressed.
  static let gzip = Data(base64Encoded: "H4sIAAAAAAACA+3BMQEAAADCoKzrX8IaHkABAADvBsg83F64CwAA") ?? Data()
}
