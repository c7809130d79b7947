extension ProcessMemory {
  /// The default limits. Those that count bytes are smaller if one decode could take more than half of the memory.
  var decodingLimits: FutureImage.DecodingLimits {
    var limits = FutureImage.DecodingLimits()
    let oneDecode = 400 << 20
    guard usable / 2 < oneDecode else { return limits }
    func part(of bytes: Int) -> Int { max(bytes / 16, Int(Double(bytes) * Double(usable / 2) / Double(oneDecode))) }
    limits.bytes = part(of: limits.bytes)
    limits.animationBytes = part(of: limits.animationBytes)
    limits.coefficientBytes = part(of: limits.coefficientBytes)
    limits.heldBytes = part(of: limits.heldBytes)
    return limits
  }

  /// The decoding limits of this process, from its memory when they were first read.
  static let decodingLimitsOfProcess = current.decodingLimits
}
