import Foundation
import FutureImage

/// Bodies that a test can check for completeness, because the number at the beginning of a body determines its length and every byte.
enum WholeBody {
  static func make(_ number: Int) -> Data {
    var data = withUnsafeBytes(of: UInt64(number).littleEndian) { Data($0) }
    data.append(Data(repeating: UInt8(number % 251), count: 1000 + number * 37))
    return data
  }

  static func isWhole(_ data: Data) -> Bool {
    guard data.count >= 8 else { return false }
    let number = data.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
    return number < 10_000 && data == make(number)
  }
}
