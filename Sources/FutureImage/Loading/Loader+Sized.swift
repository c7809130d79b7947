/// Images that their source makes in the needed size. Such an image has no bytes, only the size of the whole image. In place of a decode, a
/// task calls the app's closure.
extension FutureImage.Loader {
  typealias Rendition = FutureImage.Source.Rendition

  /// Returns the size of the rendition in pixels, with its orientation applied.
  func size(of rendition: Rendition) throws(FutureImage.Failure) -> FutureImage.PixelSize {
    switch rendition {
    case .bytes(let data):
      do { return try configuration.decoder.size(of: data) } catch { throw FutureImage.Failure(decoding: error) }
    case .image(let image):
      let (width, height) = ((image.size.width * image.scale).rounded(), (image.size.height * image.scale).rounded())
      // An image of Core Image may be infinite.
      guard width >= 1, height >= 1, width <= SizedSource.longestSide, height <= SizedSource.longestSide else { throw Self.noPixels }
      return FutureImage.PixelSize(width: Int(width), height: Int(height))
    }
  }

  /// Returns the size of a rendition that was requested in the given size. Throws an error if its proportions differ.
  func size(
    of rendition: Rendition, insteadOf size: FutureImage.PixelSize
  ) throws(FutureImage.Failure) -> FutureImage.PixelSize {
    let own = try self.size(of: rendition)
    guard own.hasProportions(of: size) else {
      throw FutureImage.Failure(
        .unreadable(
          "the closure of its source returned \(own) pixels for \(size), which have other proportions; return the whole image in the "
            + "requested size, or correct wholeSize"))
    }
    return own
  }

  private static var noPixels: FutureImage.Failure {
    FutureImage.Failure(.unreadable("the closure of its source returned an image without pixels; return an image with pixels"))
  }

  // MARK: Pixels

  /// Runs the decode of a sized source. Its task is canceled when no reader requests the decode any longer.
  func makePixels(_ decode: Decode, run: UInt64, by source: SizedSource) async {
    guard begin(decode, run: run, in: \.decodes) else { return }
    let key = decode.key
    var failures = 0
    while true {
      let stopwatch = Stopwatch(configuration.clock)
      do throws(FutureImage.Failure) {
        let (image, size) = try await make(key, decode.encoded, by: source)
        report(.decoded(width: size.width, height: size.height, in: stopwatch.elapsed), key.variant.source)
        return finish(decode, run: run, with: image)
      } catch {
        failures += 1
        let failure = error.of(key.variant.source.text)
        guard let wait = configuration.retry.delay(afterAttempt: failures, failure, chance: configuration.chance()) else {
          return failMaking(decode, run: run, with: failure)
        }
        report(.retrying(failure, after: wait), key.variant.source)
        state.withLock { $0.statistics.retries += 1 }
        do { try await configuration.clock.sleep(for: wait) } catch {
          return failMaking(decode, run: run, with: FutureImage.Failure(.cancelled, key: key.variant.source.text))
        }
      }
    }
  }

  private func make(
    _ key: PixelPool.Key, _ encoded: Encoded, by source: SizedSource
  ) async throws(FutureImage.Failure) -> (BaseImage, FutureImage.PixelSize) {
    let plan = key.variant.plan(for: encoded.size)
    let size = plan.decoded(at: key.step)
    let limits = (configuration.decoder as? FutureImage.StandardDecoder)?.limits ?? FutureImage.DecodingLimits()
    guard size.width <= limits.maxBytes / 4 / size.height else {
      throw FutureImage.Failure(.tooManyPixels("\(size) pixels at once; request fewer, or raise DecodingLimits.maxBytes"))
    }
    let rendition = try await source.rendition(size)
    do {
      return (try await decoding.run { [self] in try image(of: rendition, size: size, for: key, by: plan) }, size)
    } catch {
      throw FutureImage.Failure(decoding: error)
    }
  }

  /// Makes the image of a rendition on the decoding queue.
  private func image(
    of rendition: Rendition, size: FutureImage.PixelSize, for key: PixelPool.Key, by plan: FutureImage.Transform.Plan
  ) throws -> BaseImage {
    assertNoLockIsHeld()
    let own = try self.size(of: rendition, insteadOf: size)
    switch rendition {
    case .bytes(let data): return try decode(data, for: key, by: plan, size: own.fits(in: size) ? own : size)
    case .image(let image):
      guard let bitmap = uprightBitmap(of: image) else { throw Self.noPixels }
      return try BaseImage.decoded(try bitmap.forDisplay(within: size), for: key, by: plan)
    }
  }
}
