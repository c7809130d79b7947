import FutureImage

/// The simplest implementation of a future: it has a strong reference to the full-size image, and a weak reference to the one view that
/// shows the image.
@MainActor final class NaiveFuture {
  struct Counts {
    var requests = 0
    var decodes = 0
  }

  static var counts = Counts()
  private static let fetcher = FutureImage.Loader.Configuration().fetcher

  private(set) var image: UIImage?
  private weak var view: UIImageView?
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ url: URL) {
    Self.counts.requests += 1
    Task {
      let image = await Self.load(url)
      Self.counts.decodes += 1
      self.image = image
      view?.image = image
      for continuation in waiting { continuation.resume() }
      waiting = []
    }
  }

  func show(in view: UIImageView) {
    self.view = view
    view.image = image
  }

  func arrived() async {
    guard image == nil else { return }
    await withCheckedContinuation { waiting.append($0) }
  }

  private nonisolated static func load(_ url: URL) async -> UIImage? {
    let body = Body()
    do {
      try await fetcher.fetch(FutureImage.Request(url: url)) { event in
        if case .bytes(let bytes) = event { body.data.append(bytes) }
      }
    } catch {
      return nil
    }
    // An image from data is decoded when it is first drawn, and the views of this program draw nothing.
    let decoder = FutureImage.Loader.Configuration().decoder
    guard let size = try? decoder.size(of: body.data) else { return nil }
    return (try? decoder.decode(body.data, size: size)).map { UIImage(cgImage: $0) }
  }

  private final class Body: @unchecked Sendable {
    // Sendable: a fetcher delivers one chunk after the other, and returns after the last chunk.
    var data = Data()
  }
}
