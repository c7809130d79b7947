import Dispatch
import Foundation
import FutureImage

/// A decoder that waits to be resumed before it decodes, on a thread of the loader's decoding queue.
struct SeededDecoder: FutureImage.ImageDecoder {
  let decoder: any FutureImage.ImageDecoder
  let calls: HeldCalls

  func size(of data: Data) throws -> FutureImage.PixelSize { try decoder.size(of: data) }

  func decode(_ data: Data, size: FutureImage.PixelSize) throws -> CGImage {
    let mayGoOn = DispatchSemaphore(value: 0)
    calls.add("decoding \(data.count) bytes to \(size.width) × \(size.height) pixels") { _ in mayGoOn.signal() }
    mayGoOn.wait()
    return try decoder.decode(data, size: size)
  }

  func animation(of data: Data, size: FutureImage.PixelSize) throws -> FutureImage.Animation? {
    try decoder.animation(of: data, size: size)
  }

  func interim(of beginning: Data, size: FutureImage.PixelSize) throws -> CGImage? {
    try decoder.interim(of: beginning, size: size)
  }
}
