import Foundation

extension Data {
  init(_ text: String) {
    self.init(text.utf8)
  }

  /// Returns the numbers from 0 as 32-bit words, so that a part in the wrong place is detected.
  static func pattern(_ count: Int) -> Data {
    Array(0..<UInt32((count + 3) / 4)).withUnsafeBytes { Data($0.prefix(count)) }
  }

  var text: String { String(decoding: self, as: UTF8.self) }
}
