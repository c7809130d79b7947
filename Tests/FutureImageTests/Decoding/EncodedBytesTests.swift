import Foundation
import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct EncodedBytesTests {
  @Test func `reading a byte or a number returns nil if a part of it is outside of the data`() {
    Data([1, 2, 3, 4, 5, 6, 7, 8]).withEncodedBytes { bytes in
      #expect([-1, 0, 7, 8].map { bytes[$0] } == [nil, 1, 8, nil])
      #expect([-1, 0, 6, 7].map { bytes.number16(at: $0) } == [nil, 0x0102, 0x0708, nil])
      #expect([-1, 0, 4, 5].map { bytes.number32(at: $0) } == [nil, 0x0102_0304, 0x0506_0708, nil])
      #expect([-1, 0, 4, 5].map { bytes.littleEndian32(at: $0) } == [nil, 0x0403_0201, 0x0807_0605, nil])
      #expect([-1, 0, 1].map { bytes.number64(at: $0) } == [nil, 0x0102_0304_0506_0708, nil])
    }
  }

  @Test func `a number of eight bytes that exceeds the largest Int becomes the largest Int`() {
    func number(_ high: [UInt8]) -> Int? { Data(high + [0, 0, 0, 9]).withEncodedBytes { $0.number64(at: 0) } }
    #expect(number([0x7F, 0xFF, 0xFF, 0xFF]) == 0x7FFF_FFFF_0000_0009)
    #expect(number([0x80, 0, 0, 0]) == Int.max)
  }

  @Test func `bytes are found only at positions inside of the data`() {
    Data("ABAB".utf8).withEncodedBytes { bytes in
      #expect([-1, 0, 1, 2, 3, 4, 6].map { bytes.has("AB", at: $0) } == [false, true, false, true, false, false, false])
    }
    Data([0xFF, 1, 0xFF, 2]).withEncodedBytes { bytes in
      #expect([-1, 0, 1, 2, 3, 4, 5].map { bytes.first(0xFF, from: $0) } == [nil, 0, 2, 2, nil, nil, nil])
    }
    #expect(Data().withEncodedBytes { $0.first(0, from: 0) } == nil)
  }
}
