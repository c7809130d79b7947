// What the demo's screens need of its loopback server, which is plain sockets and not checked here.
public final class Shop: Sendable {
  static let photos = URL(fileURLWithPath: "/")
  let feedURL = photos
  init(photos: URL) throws {}
  var isSlow: Bool {
    get { false }
    set {}
  }
  func letGo() {}
  func stop() {}
}
