import Foundation
import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct SHA256Tests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    )
  ])
  func `known messages have the digests that NIST published`(message: String, digest: String) {
    #expect(SHA256.hex(of: Data(message.utf8)) == digest)
  }

  @Test func `a million letters have the digest that NIST published`() {
    let digest = SHA256.hex(of: Data(repeating: UInt8(ascii: "a"), count: 1_000_000))
    #expect(digest == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  /// With its padding, a message of up to 55 bytes takes one block of 64 bytes, and a message of 56 to 119 bytes takes two blocks. The
  /// messages consist of zero bytes, and sha256sum computed their digests.
  @Test(arguments: [
    (55, "02779466cdec163811d078815c633f21901413081449002f24aa3e80f0b88ef7"),
    (56, "d4817aa5497628e7c77e6b606107042bbba3130888c5f47a375e6179be789fbb"),
    (63, "c7723fa1e0127975e49e62e753db53924c1bd84b8ac1ac08df78d09270f3d971"),
    (64, "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b"),
    (119, "f616b0d54e78571a9611f343c9f8e022e859e920381ab0e4d3da01e193a7bd7e")
  ])
  func `messages near the edge of a block are padded correctly`(count: Int, digest: String) {
    #expect(SHA256.hex(of: Data(count: count)) == digest)
  }

  @Test(arguments: [1, 2, 63]) func `the hexadecimal text of a digest can begin at any digit`(start: Int) {
    let message = Data("abc".utf8)
    #expect(SHA256.digest(of: message).hexadecimal(from: start) == String(SHA256.hex(of: message).dropFirst(start)))
  }

  @Test func `a slice of data has the digest of its own bytes`() {
    let slice = Data("..abc..".utf8)[2..<5]
    #expect(SHA256.hex(of: slice) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }
}
