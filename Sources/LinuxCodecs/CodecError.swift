/// Why bytes did not become a picture. The text is for logs, in English, without a final stop.
package enum CodecError: Error, Sendable, Equatable {
  /// No format that is known by its first bytes.
  case unrecognized
  /// A known format, or a kind of one, that is not read here.
  case unsupported(String)
  /// The bytes end before the picture does. More of them may mend it.
  case truncated(String)
  /// The bytes are not what their format says.
  case corrupt(String)
  /// Beyond ``CodecLimits``, or beyond the memory there is.
  case tooLarge(String)
}
