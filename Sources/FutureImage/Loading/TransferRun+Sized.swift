/// Runs of a source that makes its image in the needed size. Such a run determines the size of the whole image, and fetches no bytes.
extension TransferRun {
  func measure(_ source: SizedSource, _ history: Transfer.AttemptHistory) async {
    do throws(FutureImage.Failure) {
      let encoded = Encoded(source, size: try await wholeSize(of: source))
      // If the new image would replace another image, call the app's closure for a trial first. If the closure fails, a reload then does
      // not remove the old image. Fetched bytes are tried by a candidate decode in the same way.
      if let candidate = loader.candidate(encoded.size, fetch, insteadOf: nil) {
        try await requireUsable(try await rendition(of: source, candidate.size), candidate.size)
      }
      loader.finish(
        fetch, run: number, with: FetchedEntry(encoded: encoded, entry: FutureImage.CacheEntry(body: Data()), mayStore: false))
    } catch {
      var history = history
      history.failures += 1
      await retryOrFail(history, error.of(key.text))
    }
  }

  private func requireUsable(_ rendition: Loader.Rendition, _ size: FutureImage.PixelSize) async throws(FutureImage.Failure) {
    let own = try loader.size(of: rendition, insteadOf: size)
    guard case .bytes(let data) = rendition else { return }
    let candidate = CandidateDecode(size: own.fits(in: size) ? own : size, pixels: nil)
    _ = try await loader.decode(Encoded(data: data, size: own, isFromDisk: false), key, for: candidate)
  }

  private func wholeSize(of source: SizedSource) async throws(FutureImage.Failure) -> FutureImage.PixelSize {
    if let known = try source.wholeSize { return known }
    let rendition = try await rendition(of: source, FutureImage.PixelSize(width: SizedSource.trialSide, height: SizedSource.trialSide))
    let scale = if case .image(let image) = rendition { Double(image.scale) } else { 1.0 }
    return SizedSource.wholeSize(made: try loader.size(of: rendition), scale: scale)
  }

  private func rendition(
    of source: SizedSource, _ size: FutureImage.PixelSize
  ) async throws(FutureImage.Failure) -> Loader.Rendition {
    try await callOut { () async throws(FutureImage.Failure) -> Loader.Rendition in try await source.rendition(size) }
  }
}
