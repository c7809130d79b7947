import Foundation
import FutureImageTesting

/// Answers requests for pictures, each item's by its ``Fate``.
final class Pictures: @unchecked Sendable {
  // Sendable: all is constant but `asked` and `slow`, which are touched under `lock` only.
  let gate = LoopbackServer.Gate()
  private let catalogue: Catalogue
  private let itemCount: Int
  private let lock = NSLock()
  private var asked: Set<Int> = []
  private var slow = false

  init(catalogue: Catalogue, itemCount: Int) {
    self.catalogue = catalogue
    self.itemCount = itemCount
  }

  var isSlow: Bool {
    get { lock.withLock { slow } }
    set { lock.withLock { slow = newValue } }
  }

  func answer(_ path: String) -> LoopbackServer.Answer {
    let answer = atOnce(path)
    return isSlow ? answer.latency(.milliseconds(400)).drip(bytes: 4 << 10, every: .milliseconds(25)) : answer
  }

  private func atOnce(_ path: String) -> LoopbackServer.Answer {
    guard let path = PicturePath(path, items: itemCount) else { return .status(404) }
    let photo = catalogue.photo(ofItem: path.item)
    guard let closeUp = path.closeUp else { return picture(ofItem: path.item, photo.file) }
    guard photo.closeUps.indices.contains(closeUp - 1) else { return .status(404) }
    return sent(photo.closeUps[closeUp - 1].file).latency(.milliseconds(60))
  }

  private func picture(ofItem number: Int, _ file: String) -> LoopbackServer.Answer {
    let isFirst = lock.withLock { asked.insert(number).inserted }
    let usual = sent(file).latency(.milliseconds(10 + number * 37 % 50))
    switch Fate(ofItem: number) {
    case .sent: return usual
    case .sentLate: return usual.latency(.milliseconds(800))
    case .heldBack: return usual.held(by: gate)
    case .heldHalfway: return usual.heldBody(after: size(of: file) / 2, by: gate)
    case .refusedOnce: return isFirst ? .status(503) : usual
    case .missingOnce: return isFirst ? .status(404) : usual
    case .missing: return .status(404)
    case .webPage: return .ok(Data("<!doctype html><title>Sold out</title><p>This print is sold out.".utf8), contentType: "text/html")
    case .cutShort: return usual.truncated(after: size(of: file) / 2)
    }
  }

  /// The file, the larger ones piece by piece, as over a line of some 10 MB a second.
  private func sent(_ file: String) -> LoopbackServer.Answer {
    guard let data = try? Data(contentsOf: catalogue.folder.appendingPathComponent(file), options: .mappedIfSafe) else {
      return .status(500)
    }
    let type = file.hasSuffix(".webp") ? "image/webp" : "image/jpeg"
    let answer = LoopbackServer.Answer.ok(data, contentType: type, headers: ["Cache-Control": "max-age=3600"]).eTag("\"\(file)\"")
    return data.count > 256 << 10 ? answer.drip(bytes: 128 << 10, every: .milliseconds(12)) : answer
  }

  private func size(of file: String) -> Int {
    let values = try? catalogue.folder.appendingPathComponent(file).resourceValues(forKeys: [.fileSizeKey])
    return values?.fileSize ?? 0
  }
}
