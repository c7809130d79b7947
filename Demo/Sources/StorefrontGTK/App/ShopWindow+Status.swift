import FutureImage
import Storefront

extension ShopWindow {
  /// Shows the loader's activity in the header, a few times a second, until the task is canceled.
  func keepStatus(of store: Store, items: Int) async {
    let byteCount = ByteCount.self
    while !Task.isCancelled {
      let now = store.loader.statistics
      var parts = ["\(items.formatted()) prints", "\(now.decodes) images decoded", byteCount.text(now.bytesReceived) + " received"]
      parts.append(byteCount.text(store.loader.pixelBytes) + " of pixels")
      if now.failures > 0 { parts.append(now.failures == 1 ? "1 failure" : "\(now.failures) failures") }
      say(parts.joined(separator: " · "))
      try? await Task.sleep(for: .milliseconds(250))
    }
  }
}

/// Formats numbers of bytes as text.
enum ByteCount {
  static func text(_ bytes: Int) -> String {
    let tenths = bytes * 10 / (1 << 20)
    return "\(tenths / 10).\(tenths % 10) MB"
  }
}
