/// The loader's part in the playback of animations.
extension FutureImage.Loader: FrameHost {
  var frameDecoder: any FutureImage.ImageDecoder { configuration.decoder }

  var frameLimits: FutureImage.DecodingLimits { configuration.decodingLimits }

  func decodeFrame(_ work: @escaping @Sendable () -> Void, then: @escaping @MainActor @Sendable () -> Void) {
    state.withLock { $0.work.pending += 1 }
    decoding.submit { [self] in
      work()
      deliver(then)
      endWork()
    }
  }

  func recount(_ key: PixelPool.Key) { pool.recount(key) }

  func reportReduced(to frames: Int, of count: Int, _ size: FutureImage.PixelSize, _ source: SourceKey) {
    report(.reducedAnimation(frames: frames, of: count, width: size.width, height: size.height), source)
  }

  func report(fault: DecodingFault, _ source: SourceKey) {
    switch fault {
    case .missingPixels(let share): report(.damaged(missing: share), source)
    case .ignoredProfile(let reason): report(.ignoredProfile(reason), source)
    }
  }
}
