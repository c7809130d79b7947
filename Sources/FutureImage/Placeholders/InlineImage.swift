/// A tiny image inside a `data:` URL. Its size is limited because it is decoded on the calling thread.
enum InlineImage {
  /// The length of the longest text in bytes.
  static let longestText = 4 << 10
  /// The maximum number of pixels: width × height as the header declares them.
  static let mostPixels = 256 * 256

  /// Decodes the first frame without reducing it.
  /// - Throws: ``FutureImage/Failure``.
  static func decode(_ text: String) throws -> CGImage {
    guard text.utf8.count <= longestText else {
      throw FutureImage.Failure(.undecodable("it has more than \(longestText) bytes"))
    }
    guard let url = try? URLText.url(text) else { throw FutureImage.Failure(.undecodable("it is not a URL")) }
    let dataURL = try DataURL(url)
    var reader = DataURL.Reader(dataURL)
    var bytes = Data()
    while let slice = try reader.read(dataURL) { bytes += slice }
    let decoder = makePlatformDecoder(limits)
    return try decoder.decode(bytes, size: decoder.size(of: bytes))
  }

  private static var limits: FutureImage.DecodingLimits {
    var limits = FutureImage.DecodingLimits()
    limits.maxPixels = mostPixels
    limits.maxBytes = mostPixels * 4
    limits.maxCoefficientBytes = 1 << 20
    limits.maxHeldBytes = 1 << 20
    return limits
  }
}
