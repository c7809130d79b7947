/// The reason why bytes did not become a picture. A text is the end of a sentence, in English, without a period: "the GIF's header is
/// broken". Words of a C library follow it in parentheses.
package enum CodecError: Error, Sendable, Equatable {
  /// No format that is known by its first bytes.
  case unrecognized
  /// A known format, or a kind of one, that is not decoded here: its name.
  case unsupported(String)
  /// The bytes end before the picture does. More of them may mend it.
  case truncated(String)
  /// The bytes are not what their format says.
  case corrupt(String)
  /// Beyond ``CodecLimits``: how large it is, and which limit allows it.
  case tooLarge(String)
  /// There is no memory for its pixels, or for decoding them.
  case outOfMemory
}
