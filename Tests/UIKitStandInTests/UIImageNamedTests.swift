import Foundation
import Testing
import UIKitStandIn

@testable import ImageShape

// Serialized, because the tests share the cache of `UIImage(named:)`.
@Suite("UIImage(named:)", .serialized, .timeLimit(.minutes(5)))
final class UIImageNamedTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("named-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try write("one.png", side: 2)
    try write("two@2x.png", side: 4)
    try write("both.png", side: 3)
    try write("both@2x.png", side: 6)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  private func write(_ name: String, side: Int) throws {
    let image = try #require(CGImage.noise(side, side, opaque: true))
    try #require(ImageCodecs.png(image)).write(to: folder.appendingPathComponent(name))
  }

  private func bundle() throws -> Bundle {
    try #require(Bundle(path: folder.path))
  }

  @Test func `an image file is found by its name, with and without extension`() throws {
    let bundle = try bundle()
    #expect(UIImage(named: "one", in: bundle, with: nil)?.size == CGSize(width: 2, height: 2))
    #expect(UIImage(named: "one.png", in: bundle, with: nil)?.size == CGSize(width: 2, height: 2))
    #expect(UIImage(named: "none", in: bundle, with: nil) == nil)
    #expect(UIImage(named: "one") == nil)
  }

  @Test func `the suffix of a file's name sets the scale of the image`() throws {
    let image = try #require(try UIImage(named: "two", in: bundle(), with: nil))
    #expect(image.scale == 2 && image.size == CGSize(width: 2, height: 2))
    #expect(try UIImage(named: "both", in: bundle(), with: nil)?.scale == 1)
    #expect(UIImage(contentsOfFile: folder.appendingPathComponent("both@2x.png").path)?.scale == 2)
  }

  @Test func `until a memory warning, each call with the same name returns the same plain image`() throws {
    let bundle = try bundle()
    let image = try #require(UIImage(named: "one", in: bundle, with: nil))
    #expect(UIImage(named: "one", in: bundle, with: nil) === image)
    // Use a separate notification center, because a warning in the default center would empty the caches of other tests.
    let notifications = NotificationCenter()
    let files = NamedImages(notifications: notifications)
    let first = try #require(files.image(named: "one", in: bundle))
    #expect(files.image(named: "one", in: bundle) === first)
    #expect(type(of: first) == UIImage.self)
    notifications.post(name: UIApplication.didReceiveMemoryWarningNotification, object: nil)
    let second = try #require(files.image(named: "one", in: bundle))
    #expect(second !== first && second.size == first.size)
  }

  @Test func `UIImage(named:) also searches the resources of packages beside the program`() throws {
    let name = "beside-\(UUID().uuidString)"
    let resources = Bundle.main.bundleURL.appendingPathComponent("\(name).resources")
    try FileManager.default.createDirectory(at: resources, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: resources) }
    try FileManager.default.copyItem(at: folder.appendingPathComponent("one.png"), to: resources.appendingPathComponent(name + ".png"))
    let image = try #require(UIImage(named: name))
    #expect(image.size == CGSize(width: 2, height: 2))
    #expect(UIImage(imageLiteralResourceName: name) == image)
  }
}
