extension FutureImage.Request: CustomStringConvertible, CustomReflectable {
  /// The URL without credentials, and the names of the header fields without their values.
  ///
  ///     Request(https://example.com/a.jpg, header fields: Authorization, If-None-Match)
  public var description: String {
    // A data URL contains the whole image.
    let place = CanonicalURL.isData(url) ? "a data URL" : CanonicalURL(url).redacted
    let names = headers.keys.sorted().joined(separator: ", ")
    return "Request(\(place)\(names.isEmpty ? "" : ", header fields: \(names)"))"
  }

  /// A mirror without children: the stored properties contain credentials. ``description`` has the other information.
  public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}
