import Foundation
import FutureImage
import Observation

/// A view model as an app would write it: a feed whose rows show the progress of their images.
@MainActor @Observable final class FeedModel {
  struct Item: Decodable, Sendable {
    let title: String
    @FutureImage.FromURL var photo: FutureImage
  }

  private(set) var rows: [RowModel] = []
  private(set) var message: String?
  private let loader: FutureImage.Loader
  private let fetchFeed: @Sendable () async throws -> Data

  init(loader: FutureImage.Loader = .shared, fetchFeed: @escaping @Sendable () async throws -> Data) {
    self.loader = loader
    self.fetchFeed = fetchFeed
  }

  func load() async {
    message = nil
    do {
      let decoder = JSONDecoder()
      decoder.userInfo[FutureImage.loaderKey] = loader
      rows = try decoder.decode([Item].self, from: try await fetchFeed()).map { RowModel($0) }
    } catch {
      message = "The feed could not be loaded."
    }
  }

  func show() {
    for row in rows { row.show() }
  }

  func leave() {
    for row in rows { row.leave() }
  }
}

/// One row of the feed.
@MainActor @Observable final class RowModel {
  enum Status: Equatable {
    case loading(percent: Int?)
    case picture(width: Int)
    case failed(String)
  }

  let title: String
  /// The texts that VoiceOver speaks for the row, in order.
  private(set) var announcements: [String] = []
  @ObservationIgnored private let photo: FutureImage
  @ObservationIgnored private var tasks: [Task<Void, Never>] = []

  init(_ item: FeedModel.Item) {
    title = item.title
    photo = item.photo
  }

  /// The image, or the progress of its load. Views that read this property are updated, because futures are observable. Reading it does not
  /// request the image. `show()` requests the image.
  var status: Status {
    switch photo.phase {
    case .ready(let image): return .picture(width: Int(image.size.width))
    case .loading(let fraction): return .loading(percent: fraction.map { Int($0 * 100) })
    case .failed(let failure): return .failed(failure.reason == .cancelled ? "Canceled." : "Tap to try again.")
    case .waiting, .fetched: return .loading(percent: nil)
    }
  }

  /// Loads the image, and announces the result.
  func show() { show(reloading: false) }

  private func show(reloading: Bool) {
    leave()
    tasks = [
      Task { [weak self, photo] in
        // Without the reload, `phases` would deliver the existing image.
        if reloading { await [photo].reload() }
        for await phase in photo.phases(fitting: .full) { self?.announce(phase) }
      }
    ]
  }

  /// Cancels the tasks of the row, which is no longer on screen.
  func leave() {
    for task in tasks { task.cancel() }
    tasks = []
  }

  /// Loads the image again, after a failure or because the image may have changed.
  func reload() { show(reloading: true) }

  /// Cancels the load of an image that the user does not want.
  func cancel() {
    leave()
    photo.cancel()
  }

  private func announce(_ phase: FutureImage.Phase) {
    switch phase {
    case .ready: announcements.append("\(title) has loaded.")
    case .failed: announcements.append("\(title) failed to load.")
    case .waiting, .loading, .fetched: break
    }
  }
}
