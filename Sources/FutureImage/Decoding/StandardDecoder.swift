extension FutureImage {
  /// The default decoder of loaders. It reads the formats that the app adds, then those of the platform (ImageIO's; on Linux JPEG, PNG,
  /// GIF, WebP and AVIF).
  ///
  ///     var decoder = FutureImage.StandardDecoder()
  ///     decoder.limits.pixels = 20_000_000
  ///     decoder.add(QOIDecoder(), for: FutureImage.Signature("qoif"))
  ///     configuration.decoder = decoder
  ///
  /// The first bytes of an image alone select its decoder. An error that this decoder throws is final.
  public struct StandardDecoder: ImageDecoder {
    /// The limits of the platform's formats. Added decoders have their own limits.
    public var limits: DecodingLimits

    private var added: [(signature: Signature, decoder: any DamageReportingDecoder)] = []

    /// Creates a decoder of the platform's formats, within the limits.
    /// - Parameter limits: nil for limits that suit the memory that this process may use.
    public init(limits: DecodingLimits? = nil) {
      self.limits = limits ?? ProcessMemory.decodingLimitsOfProcess
    }

    /// Adds a decoder. It comes before those added earlier, so it may take a format from the platform or from an earlier decoder.
    public mutating func add(_ decoder: any ImageDecoder, for signature: Signature) {
      added.append((signature, decoder.reportingDamage))
    }

    public func size(of data: Data) throws -> PixelSize { try decoder(of: data).size(of: data) }

    public func decode(_ data: Data, size: PixelSize) throws -> CGImage { try decoder(of: data).decode(data, size: size) }

    public func animation(of data: Data, size: PixelSize) throws -> Animation? { try decoder(of: data).animation(of: data, size: size) }

    public func interim(of beginning: Data, size: PixelSize) throws -> CGImage? {
      try decoder(of: beginning).interim(of: beginning, size: size)
    }

    fileprivate func decoder(of data: Data) -> any DamageReportingDecoder {
      added.last { $0.signature.matches(data) }?.decoder ?? makePlatformDecoder(limits)
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
