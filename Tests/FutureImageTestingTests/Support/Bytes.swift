import Foundation

extension Data {
  init(_ text: String) {
    self.init(text.utf8)
  }

  /// Returns `count` bytes of consecutive 32-bit numbers from 0, so that a test detects bytes in the wrong place.
  static func pattern(_ count: Int) -> Data {
    Array(0..<UInt32((count + 3) / 4)).withUnsafeBytes { Data($0.prefix(count)) }
  }

  var text: String { String(decoding: self, as: UTF8.self) }
}
