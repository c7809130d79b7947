/// The trial decode of an image that is about to replace another image. Without the trial, a reload could replace an image with bytes that
/// cannot be decoded.
struct CandidateDecode {
  /// The size in pixels of the smallest decode step at which the new image covers the largest decode of the old image, because a fault may
  /// occur only at that step. If the old image has no decode, it is the size of the smallest decode step.
  let size: FutureImage.PixelSize
  /// The key of the decoded pixels if the old image has a single decode, because views then need no other pixels. Nil otherwise.
  let pixels: PixelPool.Key?
}

extension FutureImage.Loader {
  /// Returns the candidate decode that a new image must pass; nil if the new image replaces no other image.
  /// - Parameters:
  ///   - fullSize: the size of the new image in pixels.
  ///   - known: the entry of the old image in the disk tier; nil if there is none.
  func candidate(_ fullSize: FutureImage.PixelSize, _ fetch: Fetch, insteadOf known: FutureImage.CacheEntry?) -> CandidateDecode? {
    let mayReplace = state.withLock { _ in
      fetch.purpose.mayReplace && (known != nil || fetch.picture.readers.contains { $0.fullSize != nil })
    }
    guard mayReplace else { return nil }
    let decodes = pool.decodes(of: fetch.picture.key)
    guard let largest = decodes.max(by: { $0.size.width * $0.size.height < $1.size.width * $1.size.height }) else {
      return CandidateDecode(size: DecodeStep(fraction: 0).size(of: fullSize), pixels: nil)
    }
    let variant = largest.key.variant
    let plan = variant.plan(for: fullSize)
    let step = DecodeStep(showing: plan.whole, .fill(largest.size))
    // If the old image has several decodes, the new pixels must not enter the pool, because smaller views would find them there and show
    // them.
    return CandidateDecode(size: plan.decoded(at: step), pixels: decodes.count == 1 ? PixelPool.Key(variant: variant, step: step) : nil)
  }

  /// Decodes the bytes of a candidate on the decoding queue.
  /// - Returns: the decoded image, if views need its pixels; nil otherwise.
  /// - Throws: the reason why the bytes cannot be decoded.
  func decode(_ encoded: Encoded, _ key: SourceKey, for candidate: CandidateDecode) async throws(FutureImage.Failure) -> PixelPool.Living? {
    do {
      return try await decoding.run { [self] in
        if let pixels = candidate.pixels { return PixelPool.Living(key: pixels, image: try decode(encoded, pixels)) }
        let decoder = configuration.decoder
        if let animation = try decoder.animation(of: encoded.data, size: candidate.size) {
          _ = try animation.frame(at: 0)
        } else {
          _ = try decoder.decode(encoded.data, size: candidate.size)
        }
        return nil
      }
    } catch {
      let failure = FutureImage.Failure(decoding: error).of(key.text)
      // A failed transform says nothing about the bytes, which may serve futures with another transform.
      if case .transformFailed = failure.reason { return nil }
      throw failure
    }
  }
}
