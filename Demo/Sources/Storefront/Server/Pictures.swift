import Foundation
import FutureImageTesting

/// The server's answers to requests for images. The ``Outcome`` of an item determines the answers for it.
struct Pictures: Sendable {
  /// The gate that holds answers until ``Shop/release()``.
  let gate = LoopbackServer.Gate()
  private let catalog: Catalog
  private let itemCount: Int
  private let files: [String: Data]

  init(catalog: Catalog, itemCount: Int) {
    self.catalog = catalog
    self.itemCount = itemCount
    let photos = catalog.photos + [catalog.animated].compactMap(\.self)
    let names = photos.flatMap { [$0.file] + $0.closeUps.map(\.file) }
    files = names.reduce(into: [:]) { files, name in
      files[name] = try? Data(contentsOf: catalog.folder.appendingPathComponent(name), options: .mappedIfSafe)
    }
  }

  /// Returns the answers for each path, in the order in which the server sends them. The server repeats the last answer.
  /// - Parameter requested: the paths that were requested before. Their temporary faults do not occur again.
  func answers(isSlow: Bool, requested: Set<String>) -> [String: [LoopbackServer.Answer]] {
    var answers: [String: [LoopbackServer.Answer]] = [:]
    for number in 1...itemCount {
      let photo = catalog.photo(ofItem: number)
      let folder = "/" + PicturePath.folder(ofItem: number)
      let path = "\(folder)/\(photo.name)"
      let whole = self.answers(ofItem: number, photo.file)
      answers[path] = requested.contains(path) ? whole.suffix(1) : whole
      for (index, closeUp) in photo.closeUps.enumerated() {
        answers["\(folder)/\(PicturePath.closeUp(index + 1))"] = [sent(closeUp.file).latency(.milliseconds(60))]
      }
    }
    guard isSlow else { return answers }
    return answers.mapValues { $0.map { $0.latency(.milliseconds(400)).drip(bytes: 4 << 10, every: .milliseconds(25)) } }
  }

  private func answers(ofItem number: Int, _ file: String) -> [LoopbackServer.Answer] {
    let usual = sent(file).latency(.milliseconds(10 + number * 37 % 50))
    let half = (files[file]?.count ?? 0) / 2
    return switch Outcome(ofItem: number) {
    case .sent: [usual]
    case .sentLate: [usual.latency(.milliseconds(800))]
    case .heldBack: [usual.held(by: gate)]
    case .heldHalfway: [usual.heldBody(after: half, by: gate)]
    case .refusedOnce: [.status(503), usual]
    case .missingOnce: [.status(404), usual]
    case .missing: [.status(404)]
    case .webPage: [.ok(Data("<!doctype html><title>Sold out</title><p>This print is sold out.".utf8), contentType: "text/html")]
    case .cutShort: [usual.truncated(after: half)]
    }
  }

  /// Returns the answer that sends the file. A file of more than 256 KB is sent in pieces, at about 10 MB a second.
  private func sent(_ file: String) -> LoopbackServer.Answer {
    guard let data = files[file] else { return .status(500) }
    let type = file.hasSuffix(".webp") ? "image/webp" : "image/jpeg"
    let answer = LoopbackServer.Answer.ok(data, contentType: type, headers: ["Cache-Control": "max-age=3600"]).eTag(file)
    return data.count > 256 << 10 ? answer.drip(bytes: 128 << 10, every: .milliseconds(12)) : answer
  }
}
