/// The reason why bytes could not be decoded. A text is the end of an English sentence, without a period: "the GIF's header is broken". The
/// words of a C library follow in parentheses.
package enum CodecError: Error, Sendable, Equatable {
  /// The first bytes match no known format.
  case unrecognized
  /// A known format, or a kind of one, that is not supported; its name.
  case unsupported(String)
  /// The bytes end before the image does. More bytes may complete it.
  case truncated(String)
  /// The bytes violate their format.
  case corrupt(String)
  /// The image exceeds ``CodecLimits``: its size, and the limit that allows it.
  case tooLarge(String)
  /// Memory does not suffice for the pixels, or for decoding them.
  case outOfMemory
}
