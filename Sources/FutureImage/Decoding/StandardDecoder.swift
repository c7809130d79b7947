extension FutureImage {
  /// The default decoder of loaders. It reads the formats that the app adds, then those of the platform (ImageIO's; on Linux JPEG, PNG,
  /// GIF, WebP and AVIF).
  ///
  ///     var decoder = FutureImage.StandardDecoder()
  ///     decoder.limits.maxPixels = 20_000_000
  ///     decoder.add(QOIDecoder()) { $0.starts(with: "qoif".utf8) }
  ///     configuration.decoder = decoder
  ///
  /// The bytes of an image alone select its decoder. An error that this decoder throws is final.
  public struct StandardDecoder: ImageDecoder {
    /// The limits of the platform's formats. Added decoders have their own limits.
    public var limits: DecodingLimits

    private var added: [(decodes: @Sendable (Data) -> Bool, decoder: any DamageReportingDecoder)] = []

    /// Creates a decoder of the platform's formats, within the limits.
    /// - Parameter limits: nil for limits that suit the memory that this process may use.
    public init(limits: DecodingLimits? = nil) {
      self.limits = limits ?? ProcessMemory.decodingLimitsOfProcess
    }

    /// Adds a decoder. It comes before those added earlier, so it may take a format from the platform or from an earlier decoder.
    ///
    ///     decoder.add(WebPDecoder()) { $0.starts(with: "RIFF".utf8) && $0.dropFirst(8).starts(with: "WEBP".utf8) }
    /// - Parameters:
    ///   - decoder: a decoder of one format.
    ///   - isFormat: whether a file has that format, by its first bytes. Names and MIME types are not passed: servers get both wrong. It is
    ///     called for every image, with all of its bytes or the beginning, on any thread, and should take a microsecond.
    public mutating func add(_ decoder: any ImageDecoder, where isFormat: @escaping @Sendable (Data) -> Bool) {
      added.append((isFormat, decoder.reportingDamage))
    }

    public func size(of data: Data) throws -> PixelSize { try decoder(of: data).size(of: data) }

    public func decode(_ data: Data, size: PixelSize) throws -> CGImage { try decoder(of: data).decode(data, size: size) }

    public func animation(of data: Data, size: PixelSize) throws -> Animation? { try decoder(of: data).animation(of: data, size: size) }

    public func preview(of beginning: Data, size: PixelSize) throws -> CGImage? {
      try decoder(of: beginning).preview(of: beginning, size: size)
    }

    fileprivate func decoder(of data: Data) -> any DamageReportingDecoder {
      added.last { $0.decodes(data) }?.decoder ?? makePlatformDecoder(limits)
    }
  }
}

extension FutureImage.StandardDecoder: DamageReportingDecoder {
  func decode(_ data: Data, size: FutureImage.PixelSize, onDamage: (_ missing: Double) -> Void) throws -> CGImage {
    try decoder(of: data).decode(data, size: size, onDamage: onDamage)
  }

  func animation(of data: Data, size: FutureImage.PixelSize, onDamage: (_ missing: Double) -> Void) throws -> FutureImage.Animation? {
    try decoder(of: data).animation(of: data, size: size, onDamage: onDamage)
  }
}
