extension FutureImage.Loader {
  /// The size at which a replacement image must be decodable: that of the largest decode of the old image, because a fault may show only at
  /// that size. Nil if the image replaces no other.
  /// - Parameter known: the entry of the disk tier.
  func trialSize(_ encoded: Encoded, _ key: SourceKey, insteadOf known: FutureImage.CacheEntry?) -> FutureImage.PixelSize? {
    guard state.withLock({ $0.transfers[key]?.purpose.mayReplace }) == true else { return nil }
    guard known != nil || firstFuture(of: key, where: \.hasPicture) != nil else { return nil }
    return trialStep(encoded.size, key).size(of: encoded.size)
  }

  /// Throws if the bytes cannot be decoded, so that a reload never removes an image in favor of bytes without pixels.
  func requireDecodable(_ encoded: Encoded, at size: FutureImage.PixelSize, _ key: SourceKey) async throws(FutureImage.Failure) {
    do {
      try await decoding.run { [decoder = configuration.decoder] in
        if try decoder.animation(of: encoded.data, size: size) == nil { _ = try decoder.decode(encoded.data, size: size) }
      }
    } catch {
      throw FutureImage.Failure(decoding: error).of(key.text)
    }
  }

  private func trialStep(_ natural: FutureImage.PixelSize, _ key: SourceKey) -> Step {
    let steps = pool.images(source: key).map { image in
      let pixels = image.step.size(of: image.naturalSize)
      return Step(showing: natural, .fill(CGSize(width: pixels.width, height: pixels.height)))
    }
    return steps.max() ?? Step(fraction: 0)
  }
}

extension FutureImage {
  fileprivate var hasPicture: Bool { state.withLock { $0.natural != nil } }
}
