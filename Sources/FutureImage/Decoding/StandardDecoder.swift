extension FutureImage {
  /// The decoder of loaders. For each image, it first checks the formats that the app has added, the latest first. All other images are in
  /// a format of the platform: a format of ImageIO or, on Linux, JPEG, PNG, GIF, WebP, AVIF, or HEIC.
  package struct StandardDecoder: ImageDecoder {
    /// The limits of the platform's formats. Added decoders have their own limits.
    package var limits: DecodingLimits

    private var added: [(decodes: @Sendable (Data) -> Bool, decoder: any FaultReportingDecoder)] = []

    /// Creates a decoder of the platform's formats, within the limits.
    /// - Parameter limits: nil for limits that suit the memory that this process may use.
    package init(limits: DecodingLimits? = nil) {
      self.limits = limits ?? ProcessMemory.decodingLimitsOfProcess
    }

    /// See ``FutureImage/FutureImage/Loader/Configuration/addDecoder(_:where:)``.
    package mutating func add(_ decoder: any ImageDecoder, where isFormat: @escaping @Sendable (Data) -> Bool) {
      added.append((isFormat, decoder.reportingFaults))
    }

    package func size(of data: Data) throws -> PixelSize { try decoder(of: data).size(of: data) }

    package func decode(_ data: Data, size: PixelSize) throws -> CGImage { try decoder(of: data).decode(data, size: size) }

    package func animation(of data: Data, size: PixelSize) throws -> (any Animation)? {
      try decoder(of: data).animation(of: data, size: size)
    }

    package func preview(of beginning: Data, size: PixelSize) throws -> CGImage? {
      try decoder(of: beginning).preview(of: beginning, size: size)
    }

    fileprivate func decoder(of data: Data) -> any FaultReportingDecoder {
      added.last { $0.decodes(data) }?.decoder ?? makePlatformDecoder(limits)
    }
  }
}

extension FutureImage.StandardDecoder: FaultReportingDecoder {
  func decode(_ data: Data, size: FutureImage.PixelSize, onFault: (DecodingFault) -> Void) throws -> CGImage {
    try decoder(of: data).decode(data, size: size, onFault: onFault)
  }
}
