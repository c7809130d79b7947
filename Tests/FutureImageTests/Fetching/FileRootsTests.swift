import Foundation
import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct FileRootsTests {
  private let folder: TemporaryDirectory
  private let roots: [URL]

  init() throws {
    folder = try TemporaryDirectory()
    for name in ["inside", "inside-too"] {
      try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: true)
    }
    for name in ["inside/a.jpg", "inside-too/b.jpg", "c.jpg"] { try SampleImage.jpeg().write(to: folder.file(name)) }
    roots = [folder.file("inside")]
  }

  private func reason(_ path: String) async throws -> FutureImage.Failure.Reason? {
    var configuration = FutureImage.Loader.Configuration()
    configuration.diskCache = nil
    configuration.fileRoots = roots
    let future = FutureImage(.file(folder.file(path)), loader: FutureImage.Loader(configuration))
    do {
      _ = try await future.value
      return nil
    } catch {
      return error.reason
    }
  }

  private static let outside = FutureImage.Failure.Reason.refused(
    "its file is outside of the allowed folders; add its folder to Loader.Configuration.fileRoots")

  @Test func `a file in an allowed folder is read`() async throws {
    #expect(try await reason("inside/a.jpg") == nil)
    #expect(try await reason("inside/../inside/a.jpg") == nil)
  }

  // The paths "inside" and "." are folders. The allowed folder itself is not a file inside of it.
  @Test(arguments: ["c.jpg", "inside/../c.jpg", "inside-too/b.jpg", "inside", "."])
  func `a file outside of the allowed folders is refused`(path: String) async throws {
    #expect(try await reason(path) == Self.outside)
  }

  @Test func `a symbolic link is read if its target is in an allowed folder, and is refused otherwise`() async throws {
    try FileManager.default.createSymbolicLink(at: folder.file("inside/out.jpg"), withDestinationURL: folder.file("c.jpg"))
    try FileManager.default.createSymbolicLink(at: folder.file("in.jpg"), withDestinationURL: folder.file("inside/a.jpg"))
    #expect(try await reason("inside/out.jpg") == Self.outside)
    #expect(try await reason("in.jpg") == nil)
  }

  @Test func `an allowed folder that does not exist allows no file, and does not affect the other folders`() throws {
    let (missing, file) = (folder.file("none"), folder.file("inside/a.jpg").path(percentEncoded: false))
    #expect(throws: FutureImage.Failure(Self.outside)) { try AllowedFile.path(file, in: [missing]) }
    #expect(try AllowedFile.path(file, in: [missing, folder.file("inside")]).hasSuffix("/inside/a.jpg"))
  }

  @Test func `the path of an allowed folder may contain blanks`() throws {
    let spaced = folder.file("in side")
    try FileManager.default.createDirectory(at: spaced, withIntermediateDirectories: true)
    let file = spaced.appending(path: "a.jpg")
    try Data([1]).write(to: file)
    #expect(try AllowedFile.path(file.path(percentEncoded: false), in: [spaced]).hasSuffix("/in side/a.jpg"))
  }

  @Test func `a missing file is unreadable`() async throws {
    let missing = FutureImage.Failure.Reason.unreadable("there is no such file; check its path (No such file or directory, error 2)")
    #expect(try await reason("inside/none.jpg") == missing)
  }

  @Test func `a nil list of folders allows every file, and an empty list allows no file`() async throws {
    #expect(try AllowedFile.path("/a/../b", in: nil) == "/a/../b")
    #expect(throws: FutureImage.Failure.self) { try AllowedFile.path(folder.file("c.jpg").path, in: []) }
  }
}
