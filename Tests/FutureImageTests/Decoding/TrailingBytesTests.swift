import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Tests of bytes after the end of an image.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct TrailingBytesTests {
  /// Returns the bytes that remain after the data has arrived in pieces of the given size.
  private func cut(_ data: Data, pieces size: Int) -> Data {
    var trailing = TrailingBytes()
    var remainder = Data()
    var rest = data
    while !rest.isEmpty {
      if !trailing.areCutOff { remainder.append(rest.prefix(size)) }
      rest = rest.dropFirst(size)
      trailing.cut(&remainder)
    }
    trailing.finish(&remainder)
    return remainder
  }

  @Test(arguments: [1_000, 16_384, 10_000_000])
  func `bytes after an image are cut off if they exceed 64 KiB, and the image stays whole`(pieces: Int) throws {
    let names = [
      "jpeg/progressive.jpg", "pngsuite/basn2c08.png", "gif/still.gif", "webp/lossy.webp", "webp/animated.webp", "avif/color.avif"
    ]
    for name in names {
      let picture = try EndOfDataTests.fixture(name)
      #expect(cut(picture, pieces: pieces) == picture)
      let padded = picture + Data(repeating: 7, count: 65_536)
      #expect(cut(padded, pieces: pieces) == padded, "\(name)")
      // In an AVIF, bytes other than zeros may be the beginning of a further box, so they are not cut off.
      for byte: UInt8 in [0, 7, 0xFF] where !name.hasPrefix("avif") || byte == 0 {
        #expect(cut(picture + Data(repeating: byte, count: 65_537), pieces: pieces) == picture, "\(name)")
        #expect(cut(picture + Data(repeating: byte, count: 3_000_000), pieces: pieces) == picture, "\(name)")
      }
    }
  }

  @Test func `bytes after an image are cut off as soon as the data has 128 KiB in total`() {
    let picture = SampleImage.jpeg()
    var data = picture + Data(count: 2 * TrailingBytes.most - picture.count)
    var trailing = TrailingBytes()
    trailing.cut(&data)
    #expect(trailing.areCutOff && data == picture)
  }

  @Test func `every fixture is complete at its marked end, and the end is still found if more bytes follow the fixture`() throws {
    for folder in EndOfDataTests.folders {
      for path in try EndOfDataTests.names(in: folder) {
        let data = try EndOfDataTests.fixture(path)
        guard let end = EndOfData.markedEnd(of: data) else { continue }
        #expect(end <= data.count && EndOfData(of: data.prefix(end)) == .complete, "\(path)")
        #expect(EndOfData.markedEnd(of: data + Data(count: 100)) == end, "\(path)")
      }
    }
  }

  @Test func `data without a marked end is not cut`() {
    let data = Data(repeating: 1, count: 1_000_000)
    #expect(cut(data, pieces: 1_000) == data)
  }

  @Test func `a body drops the bytes that follow its image`() throws {
    let picture = SampleImage.jpeg()
    let body = Body(limit: 64 << 20) { _ in }
    try body.receive(.response(FutureImage.Response(status: 200)))
    try body.receive(.bytes(picture))
    for _ in 0..<600 {
      try body.receive(.bytes(Data(count: 100_000)))
      // The body never retains more than three of these pieces.
      #expect(body.soFar?.count ?? .max <= picture.count + 300_000)
    }
    #expect(body.count == picture.count + 60_000_000)
    #expect(try body.whole().data == picture)
  }

  @Test func `if a body resumes after its trailing bytes were cut off, the result is the whole image`() throws {
    let picture = SampleImage.jpeg()
    let total = picture.count + 1_000_000
    let first = Body(limit: 64 << 20) { _ in }
    let headers = ["etag": "\"1\"", "accept-ranges": "bytes"]
    try first.receive(.response(FutureImage.Response(status: 200, headers: headers, expectedBytes: total)))
    try first.receive(.bytes(picture + Data(count: 500_000)))
    let partial = try #require(first.partial)
    let next = Body(limit: 64 << 20, continuing: partial) { _ in }
    let range = "bytes \(partial.data.count)-\(total - 1)/\(total)"
    let rest = total - partial.data.count
    try next.receive(
      .response(FutureImage.Response(status: 206, headers: ["etag": "\"1\"", "content-range": range], expectedBytes: rest)))
    try next.receive(.bytes(Data(count: rest)))
    #expect(try next.whole().data == picture)
  }

  @Test func `if bytes follow the image in each of forty responses, the futures and the disk cache store only the images`() async throws {
    let disk = FutureImage.DiskCache.temporary()
    let fixture = LoaderFixture(disk: disk)
    let picture = SampleImage.jpeg()
    for policy in [nil, FutureImage.CachePolicy.modelOnly] {
      let name = policy == nil ? "disk" : "model"
      var futures: [FutureImage] = []
      for number in 0..<40 {
        futures.append(fixture.future("\(name)\(number)", policy: policy ?? .automatic))
        await fixture.serve("\(name)\(number)", picture + Data(count: 1_000_000))
      }
      // With a disk cache, a future may have released its bytes.
      #expect(futures.allSatisfy { $0.retainedBytes.map { $0.data == picture } ?? (policy == nil) })
      #expect(try await futures[39].value.size == CGSize(width: 64, height: 48))
    }
    #expect(await disk.count() == 40)
    #expect(await disk.totalBytes() < 40 * (picture.count + 1_000))
  }
}
