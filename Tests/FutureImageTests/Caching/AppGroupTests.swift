import Foundation
import Testing

@testable import FutureImage

/// An app and its extensions that share one folder. Only the app removes expired entries automatically.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct AppGroupTests {
  private let fixture: DiskCacheFixture

  init() throws { fixture = try DiskCacheFixture() }

  @Test(arguments: [
    ("file:///var/Shop.app/PlugIns/Widget.appex/", true), ("file:///var/Shop.app/Extensions/Share.APPEX", true),
    ("file:///var/Shop.app/", false), ("file:///usr/bin/", false), ("file:///var/my.appex/Shop.app/", false)
  ])
  func `an app extension is recognized by the name of its bundle`(bundle: String, isExtension: Bool) throws {
    #expect(AppGroup.isExtension(try #require(URL(string: bundle))) == isExtension)
  }

  #if canImport(UIKitStandIn) && !canImport(UIKit)
  @Test func `disk caches with the same app group and name share a folder`() throws {
    let one = try FutureImage.DiskCache(appGroup: "group.test.shop")
    let other = try FutureImage.DiskCache(appGroup: "group.test.shop", maxBytes: 1)
    #expect(one.directory == other.directory)
    #expect(one.directory.hasDirectoryPath)
    #expect(one.directory.path.hasSuffix("/group.test.shop/FutureImage"))
    #expect(try FutureImage.DiskCache(appGroup: "group.test.shop", named: "faces").directory.path.hasSuffix("/group.test.shop/faces"))
    #expect(!fixture.exists(one.directory))
  }

  @Test func `a program on Linux is not an app extension`() {
    #expect(!AppGroup.isExtension)
  }

  @Test(arguments: ["", ".", "..", ".hidden", "a/b", "/", "../x", "a\0b"])
  func `an app group name that could be a path is refused`(name: String) {
    #expect(throws: FutureImage.FileFailure.self) { try FutureImage.DiskCache(appGroup: name) }
  }
  #endif

  @Test func `an app and its extension find each other's entries`() async throws {
    let (app, widget) = (fixture.cache(), fixture.extensionCache())
    try await app.store(entry(fileBytes: 100), forKey: "a")
    try await widget.store(entry(fileBytes: 100, filledWith: 2), forKey: "b")
    #expect(try await widget.entry(forKey: "a") == entry(fileBytes: 100))
    #expect(try await app.entry(forKey: "b") == entry(fileBytes: 100, filledWith: 2))
  }

  @Test func `an app extension that stores little does not scan the folder`() async throws {
    let widget = fixture.extensionCache(maxBytes: 100_000)
    for number in 0..<10 { try await widget.store(entry(fileBytes: 1000), forKey: "\(number)") }
    for number in 0..<10 { #expect(try await widget.entry(forKey: "\(number)") != nil) }
    #expect(fixture.files.calls.count { $0 == .names } == 0)
    // Reading the count scans the 256 folders of the cache.
    #expect(await widget.count() == 10)
    #expect(fixture.files.calls.count { $0 == .names } == 256)
  }

  @Test func `an expired entry counts as missing for an app extension, and stays until the app cleans the cache`() async throws {
    let (app, widget) = (fixture.cache(maxAge: .seconds(3600)), fixture.extensionCache(maxBytes: 2000, maxAge: .seconds(3600)))
    try await widget.store(entry(fileBytes: 100), forKey: "k")
    let half = fixture.folder(ofKey: "k").appendingPathComponent(DiskCacheName.temporary())
    try Data("half".utf8).write(to: half)
    try POSIXFileSystem().setModified(half.path, fixture.clock.now)
    fixture.clock.advance(hours: 3)
    #expect(try await widget.entry(forKey: "k") == nil)
    // More than a tenth of the limit has been stored, so the extension scans the folder, but only to enforce the limit.
    try await widget.store(entry(fileBytes: 300), forKey: "l")
    _ = await widget.totalBytes()
    #expect(fixture.files.calls.count { $0 == .names } == 256)
    #expect(fixture.exists(fixture.file(ofKey: "k")))
    #expect(fixture.exists(half))
    // The app's cleaning removes the expired entry and the half-written file.
    try await app.clean()
    #expect(!fixture.exists(fixture.file(ofKey: "k")))
    #expect(!fixture.exists(half))
    #expect(try await widget.entry(forKey: "l") != nil)
  }

  @Test func `an app extension that stores much stays within the byte limit`() async throws {
    let widget = fixture.extensionCache(maxBytes: 1000)
    for number in 0..<20 {
      try await widget.store(entry(fileBytes: 100), forKey: "\(number)")
      fixture.clock.advance(hours: 2)
      // `totalBytes()` waits until a running removal has ended, because only one removal runs at a time.
      #expect(await widget.totalBytes() <= 1000)
    }
    #expect(try await widget.entry(forKey: "19") != nil)
    #expect(try await widget.entry(forKey: "0") == nil)
  }

  @Test func `a cleaning that an app extension requests also removes expired entries`() async throws {
    let widget = fixture.extensionCache(maxAge: .seconds(3600))
    try await widget.store(entry(fileBytes: 100), forKey: "k")
    fixture.clock.advance(hours: 3)
    try await widget.clean()
    #expect(!fixture.exists(fixture.file(ofKey: "k")))
  }
}
