extension FutureImage.Loader {
  /// Throws if a picture that is to take another's place cannot be decoded: a reload takes nothing away for bytes that give no pixels.
  ///
  /// They are decoded once, as large as the largest decode that there is of the old picture, since a fault may show at that size only.
  /// - Parameter known: what the disk tier has.
  func requireDecodable(
    _ encoded: Encoded, _ key: SourceKey, insteadOf known: FutureImage.CacheEntry?
  ) async throws(FutureImage.Failure) {
    let futures = state.withLock { state in
      state.transfers[key]?.purpose.mayReplace == true ? state.live.futures(key: key) : nil
    }
    guard let futures, known != nil || futures.contains(where: \.hasPicture) else { return }
    let size = trialStep(encoded.size, key).size(of: encoded.size)
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
