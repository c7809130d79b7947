import Foundation

@testable import FutureImage

// Reads files from standard input, each behind its length: four bytes, the lowest first. The first file after a length of 0 is whole, and
// the next ones are damaged copies of it. Prints for each whether it is shown, shown as damaged, or refused, and the share of its rows that
// are not those of the whole one.
let decoder = makePlatformDecoder(FutureImage.DecodingLimits())

func read(_ count: Int) -> Data? {
  var data = Data()
  while data.count < count, let more = try? FileHandle.standardInput.read(upToCount: count - data.count), !more.isEmpty { data += more }
  return data.count == count ? data : nil
}

/// Decodes as the loader does.
func pixels(_ data: Data, onDamage: (_ missing: Double) -> Void) throws -> FutureImage.PixelBuffer? {
  let size = try decoder.size(of: data)
  let animation = try decoder.animation(of: data, size: size, onDamage: onDamage)
  return try FutureImage.PixelBuffer(animation?.frames[0].image ?? decoder.decode(data, size: size, onDamage: onDamage), scale: 1)
}

func otherRows(_ pixels: FutureImage.PixelBuffer, _ whole: FutureImage.PixelBuffer) -> Double {
  guard pixels.width == whole.width, pixels.height == whole.height else { return 1 }
  let stride = pixels.width * 4
  let rows = (0..<pixels.height).map { $0 * stride..<($0 + 1) * stride }
  return Double(rows.filter { pixels.bytes[$0] != whole.bytes[$0] }.count) / Double(rows.count)
}

var whole: FutureImage.PixelBuffer?
while let length = read(4) {
  let count = length.reversed().reduce(0) { $0 << 8 | Int($1) }
  if count == 0 {
    whole = nil
    continue
  }
  guard let data = read(count) else { break }
  var missing = 0.0
  if let found = try? pixels(data, onDamage: { missing = max(missing, $0) }) {
    let first = whole ?? found
    whole = first
    print(missing > 0 ? "damaged" : "shown", otherRows(found, first))
  } else {
    print("refused", 0)
  }
  fflush(nil)
}
