extension FutureImage {
  /// The first bytes of a format's files, which identify the format. Names and MIME types are ignored: servers get both wrong.
  ///
  ///     let qoi = FutureImage.Signature("qoif")
  ///     let webP = FutureImage.Signature("RIFF").and("WEBP", at: 8)
  public struct Signature: Hashable, Sendable {
    private struct Piece: Hashable, Sendable {
      let bytes: [UInt8]
      let offset: Int
    }

    private var pieces: [Piece]

    /// - Parameters:
    ///   - bytes: the bytes at the offset, in order.
    ///   - offset: the offset in bytes from the file's start.
    public init(_ bytes: [UInt8], at offset: Int = 0) {
      pieces = [Piece(bytes: bytes, offset: max(0, offset))]
    }

    /// - Parameters:
    ///   - text: the text whose UTF-8 bytes are at the offset.
    ///   - offset: the offset in bytes from the file's start.
    public init(_ text: String, at offset: Int = 0) {
      self.init(Array(text.utf8), at: offset)
    }

    /// Adds those bytes to the signature.
    public func and(_ bytes: [UInt8], at offset: Int) -> Signature {
      var both = self
      both.pieces += Signature(bytes, at: offset).pieces
      return both
    }

    /// Adds that text to the signature.
    public func and(_ text: String, at offset: Int) -> Signature { and(Array(text.utf8), at: offset) }

    /// Whether the file has the signature.
    func matches(_ data: Data) -> Bool {
      pieces.allSatisfy { data.dropFirst($0.offset).starts(with: $0.bytes) }
    }
  }
}
