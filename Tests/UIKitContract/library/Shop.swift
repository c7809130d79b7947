// What the demo's screens need of its loopback server, which is plain sockets and not checked here.
final class Shop {
  static let photos = URL(fileURLWithPath: "/")
  let feedURL = photos
  init(photos: URL) throws {}
  func letGo() {}
}
