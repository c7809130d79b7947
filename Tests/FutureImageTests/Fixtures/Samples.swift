import Foundation

enum Samples {
  static let gzipContent = Data(repeating: UInt8(ascii: "a"), count: 3000)
  /// `gzipContent`, compressed by gzip.
  static let gzip = decoded("H4sIAAAAAAACA+3BMQEAAADCoKzrX8IaHkABAADvBsg83F64CwAA")
  /// `gzipContent`, compressed by brotli.
  static let brotli = decoded("wbhdwC8RFo8FAnEDAA==")

  /// A PNG of 40 × 30 pixels, whose first pixel is brown. The next two constants are the same file, compressed.
  static let picture = decoded(
    "iVBORw0KGgoAAAANSUhEUgAAACgAAAAeCAIAAADRv8uKAAAAPklEQVR42mPQCDiBjE4EaCAj2skyjFo8/C2mm01osqMWjwCLR/PxqMWjJdeoxaMl12g+HrV4"
      + "tOQatZjmFgMAQXHcTNLLQ/EAAAAASUVORK5CYII=")
  static let pictureGzip = decoded(
    "H4sIAAAAAAACA+sM8HPn5ZLiYmBg4PX0cAkC0hpALMfBBCQv7j/dBaTsPF0cQypuJV/gsGjs8WPJUFC+ddKoJ8rmj+6y2b4ZmxaL9TN0u3/+uOLoYtXrYCLDTm5r"
      + "xZYnUltnPBNjZnAsvONz6bTzR6BJDJ6ufi7rnBKaAIb8vyp3AAAA")
  static let pictureBrotli = decoded(
    "IdgBBIlQTkcNChoKAAAADUlIRFIAAAAoAAAAHggCAAAA0b/LigAAAD5JREFUeNpj0Ag4gYxOBGggI9rJMoxaPPwtpptNaLKjFo8Ai0fz8ajFoyXXqMWjJddoPh61"
      + "eLTkGrWY5hYDAEFx3EzSy0PxAAAAAElFTkSuQmCCAw==")

  private static func decoded(_ text: String) -> Data { Data(base64Encoded: text) ?? Data() }
}
