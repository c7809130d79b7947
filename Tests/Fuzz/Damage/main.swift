import Foundation

@testable import FutureImage

// Reads files from standard input. Before each file, four bytes contain its length, with the lowest byte first. A length of 0 starts a new
// group of files: the first file is intact, and the files after it are damaged copies. For each file, prints `shown`, `damaged` if the
// library shows the image and reports missing pixels, or `refused`. Also prints the share of rows that differ from those of the intact
// file.
let decoder = makePlatformDecoder(FutureImage.DecodingLimits())

func read(_ count: Int) -> Data? {
  var data = Data()
  while data.count < count, let more = try? FileHandle.standardInput.read(upToCount: count - data.count), !more.isEmpty { data += more }
  return data.count == count ? data : nil
}

/// Returns the pixels that the loader would decode. For an animation, these are the pixels of its first frame.
func pixels(_ data: Data, onFault: (DecodingFault) -> Void) throws -> FutureImage.PixelBuffer? {
  let size = try decoder.size(of: data)
  let animation = try decoder.animation(of: data, size: size, onFault: onFault)
  return try FutureImage.PixelBuffer(animation?.frames[0].image ?? decoder.decode(data, size: size, onFault: onFault), scale: 1)
}

/// Returns the share of rows that differ; 1 if the sizes differ.
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
  let found = try? pixels(data) { if case .missingPixels(let share) = $0 { missing = max(missing, share) } }
  if let found {
    let first = whole ?? found
    whole = first
    print(missing > 0 ? "damaged" : "shown", otherRows(found, first))
  } else {
    print("refused", 0)
  }
  fflush(nil)
}
