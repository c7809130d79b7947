import Foundation

/// The chunks of a PNG, from which a test makes another PNG. The checksums of the new PNG are correct.
struct PNGChunks {
  var chunks: [(name: String, content: Data)] = []
  private let signature: Data

  init(_ data: Data) {
    signature = data.prefix(8)
    var rest = Data(data.dropFirst(8))
    while rest.count >= 12 {
      let length = Int(Self.number(rest, at: 0))
      chunks.append((String(decoding: rest[4..<8], as: UTF8.self), Data(rest[8..<8 + length])))
      rest = Data(rest.dropFirst(12 + length))
    }
  }

  var data: Data { chunks.reduce(signature) { $0 + ColorFile.chunk($1.name, $1.content) } }

  /// Returns the indices of the chunks with this name.
  func indices(_ name: String) -> [Int] { chunks.indices.filter { chunks[$0].name == name } }

  static func number(_ data: Data, at position: Int) -> UInt32 {
    data.dropFirst(position).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Replaces four bytes in the content of a chunk.
  mutating func set(_ number: UInt32, at position: Int, of index: Int) {
    chunks[index].content.replaceSubrange(position..<position + 4, with: ColorFile.bigEndian(number))
  }

  /// Numbers all chunks of frames in their order.
  mutating func renumber() {
    for (number, index) in chunks.indices.filter({ ["fcTL", "fdAT"].contains(chunks[$0].name) }).enumerated() {
      set(UInt32(number), at: 0, of: index)
    }
  }
}
