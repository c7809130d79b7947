/// The part of a loader that the frames of an animation use.
protocol FrameHost: AnyObject, Sendable {
  var frameDecoder: any FutureImage.ImageDecoder { get }
  /// The limits on all frames at once.
  var frameLimits: FutureImage.DecodingLimits { get }
  /// Runs the work on the decoding queue, and then the closure on the main actor.
  func decodeFrame(_ work: @escaping @Sendable () -> Void, then: @escaping @MainActor @Sendable () -> Void)
  /// Counts the bytes of the image with this key again.
  func recount(_ key: PixelPool.Key)
  /// Reports that an animation plays with fewer frames than its `count`, or with frames that were reduced to this size.
  func reportReduced(to frames: Int, of count: Int, _ size: FutureImage.PixelSize, _ source: SourceKey)
  func report(fault: DecodingFault, _ source: SourceKey)
}

/// The part of an animation's player that the frames of the animation call.
@MainActor protocol FramePlayer: AnyObject, Sendable {
  /// Responds to a frame that was decoded, or that could not be decoded.
  func framesArrived()
}

/// The frames of an animated image at one decode step, which is one of the sizes of ``DecodeStep``. Each frame is decoded shortly before it
/// is shown.
///
/// The image of each shown frame retains this object. This object retains bitmaps, but none of these images. So when no view shows the
/// animation anymore, nothing of it remains in memory.
final class AnimationFeed: Sendable {
  let durations: [TimeInterval]
  /// The number of times that the animation plays, as its file states; 0 means forever.
  let playCount: Int
  private let encoded: Data
  /// The key of the decode, with the generation that the image had when it was decoded. See ``key`` for the current generation.
  private let decoding: PixelPool.Key
  private let plan: FutureImage.Transform.Plan
  private let state: Lock<State>

  /// The player, which all decodes of the image share. It is made when a view first shows the animation, or when the app requests it.
  @MainActor var player: (any FramePlayer)?
  /// The last frame that was made into an image, so that all views show the same object.
  @MainActor private weak var lastImage: BaseImage?

  private struct State {
    /// The generation of the image to which these frames belong.
    var generation: UInt32
    weak var host: (any FrameHost)?
    /// The open animation; nil while a thread decodes a frame, and while no view shows the animation.
    var animation: (any FutureImage.Animation)?
    /// The decoded frames by their index.
    var frames: [Int: CGImage] = [:]
    /// The frames that are shown next, in order, without the first frame of the file. Those that are missing from `frames` are decoded.
    var wanted: [Int] = []
    /// Whether a view in a window shows the animation.
    var isSeen = false
    var isDecoding = false
    /// The first frame that cannot be decoded.
    var broken: Int?
    var canvasBytes = 0
    /// The bytes of the frame that is shown. For the first frame, this is 0, because the bytes of its image include it.
    var shownBytes = 0
    var hasReportedDamage = false

    /// The first wanted frame that is missing; nil if there is none.
    var next: Int? { wanted.first { frames[$0] == nil && $0 < broken ?? .max } }
  }

  /// - Parameters:
  ///   - animation: the open animation, of which only the durations are read.
  ///   - encoded: the file.
  init(
    _ animation: any FutureImage.Animation, of encoded: Data, _ key: PixelPool.Key, _ plan: FutureImage.Transform.Plan,
    _ host: any FrameHost
  ) {
    durations = animation.durations.map(\.frameDuration)
    playCount = animation.playCount
    self.encoded = encoded
    decoding = key
    self.plan = plan
    state = Lock(State(generation: key.variant.generation, host: host))
  }

  /// The key of the first frame in the pool.
  var key: PixelPool.Key {
    var key = decoding
    key.variant.generation = state.withLock { $0.generation }
    return key
  }

  /// Sets the generation of an image that was decoded before it replaced another image.
  func setGeneration(_ generation: UInt32) { state.withLock { $0.generation = generation } }

  /// The number of frames before the first broken frame.
  var frameCount: Int { state.withLock { $0.broken } ?? durations.count }

  /// The number of bytes in memory: those of the file, of the canvas, and of all decoded frames except the first.
  var heldBytes: Int {
    encoded.count + state.withLock { $0.canvasBytes + $0.shownBytes + $0.frames.values.reduce(0) { $0 + $1.byteCount } }
  }

  /// Whether the frame is decoded. The first frame always is, because every other frame retains it.
  func isReady(_ index: Int) -> Bool { index == 0 || state.withLock { $0.frames[index] != nil } }

  /// Decodes the frames of `indices` that are missing, one after the other, on the decoding queue. Releases all other frames.
  func prepare(_ indices: [Int]) {
    let (host, released) = state.withLock { state -> ((any FrameHost)?, [CGImage]) in
      state.wanted = indices.filter { $0 != 0 }
      state.isSeen = true
      let released = state.frames.filter { !indices.contains($0.key) }
      for index in released.keys { state.frames[index] = nil }
      // Race: a frame that two threads decode.
      guard !state.isDecoding, state.next != nil else { return (nil, Array(released.values)) }
      state.isDecoding = true
      return (state.host, Array(released.values))
    }
    if !released.isEmpty { recount() }
    if let host { decodeNext(host) }
  }

  /// Releases all frames and the canvas, because no view shows the animation.
  func release() {
    let released = state.withLock { state -> ([Int: CGImage], (any FutureImage.Animation)?)? in
      guard state.isSeen else { return nil }
      defer { (state.wanted, state.isSeen, state.frames, state.animation, state.canvasBytes) = ([], false, [:], nil, 0) }
      return (state.frames, state.animation)
    }
    if released != nil { recount() }
  }

  private func decodeNext(_ host: any FrameHost) {
    host.decodeFrame { [self] in
      decodeFrame(host)
    } then: { [weak self] in
      self?.player?.framesArrived()
    }
  }

  private func decodeFrame(_ host: any FrameHost) {
    let (taken, next) = state.withLock { ($0.animation.take(), $0.next) }
    guard let index = next else { return store(taken, [:], host) }
    do {
      let animation = try taken ?? open(host)
      let frame = try draining { try animation.frame(at: index).transformed(by: decoding, plan) }
      report((animation as? any PlatformAnimation)?.faults ?? [], host)
      store(animation, [index: frame], host)
    } catch {
      state.withLock { state in
        (state.broken, state.isDecoding, state.canvasBytes) = (index, false, 0)
      }
      recount()
      host.reportReduced(to: index, of: durations.count, plan.decoded(at: decoding.step), decoding.variant.source)
    }
  }

  /// Stores the animation and a decoded frame, and decodes the next frame if one is missing. If no view shows the animation anymore, stores
  /// nothing.
  private func store(_ animation: (any FutureImage.Animation)?, _ decoded: [Int: CGImage], _ host: any FrameHost) {
    // An animation of the app computes its bytes, so it is asked outside of the lock.
    let canvasBytes = animation?.heldBytes ?? 0
    let mustContinue = state.withLock { state in
      // Race: a decode that ends after the last view has left.
      if state.isSeen {
        (state.animation, state.canvasBytes) = (animation, canvasBytes)
        for (index, frame) in decoded where state.wanted.contains(index) { state.frames[index] = frame }
      }
      state.isDecoding = state.next != nil
      return state.isDecoding
    }
    recount()
    if mustContinue { decodeNext(host) }
  }

  private func open(_ host: any FrameHost) throws -> any FutureImage.Animation {
    guard let animation = try host.frameDecoder.animation(of: encoded, size: plan.decoded(at: decoding.step)) else {
      throw FutureImage.Failure(.undecodable("it has no frames"))
    }
    return animation
  }

  /// Reports the damage of frames after the first. The loader has reported the faults of the file with the first frame.
  private func report(_ faults: [DecodingFault], _ host: any FrameHost) {
    guard let damage = faults.first(where: { if case .missingPixels = $0 { true } else { false } }) else { return }
    let isFirstReport = state.withLock { state in
      defer { state.hasReportedDamage = true }
      return !state.hasReportedDamage
    }
    if isFirstReport { host.report(fault: damage, decoding.variant.source) }
  }

  /// Makes the pool count the bytes in memory again.
  private func recount() { state.withLock(\.host)?.recount(key) }

  // MARK: Images

  /// Returns the image of a frame; nil if the frame is not decoded.
  /// - Parameter other: the image of any frame.
  @MainActor func image(_ index: Int, like other: BaseImage) -> BaseImage? {
    if index == 0 {
      state.withLock { $0.shownBytes = 0 }
      return other.firstFrame
    }
    if let lastImage, lastImage.frameIndex == index { return lastImage }
    let taken = state.withLock { state in
      guard let bitmap = state.frames.removeValue(forKey: index) else { return nil as CGImage? }
      state.shownBytes = bitmap.byteCount
      // If the frame stayed in `wanted`, a decode that ends before the player requests the next frames would find the frame missing, and
      // decode it again.
      // Race: a frame that is decoded again while it is shown.
      state.wanted.removeAll { $0 == index }
      return bitmap
    }
    guard let bitmap = taken else { return nil }
    let image = other.firstFrame.frame(index, bitmap)
    lastImage = image
    return image
  }

  /// Whether a view shows the frame, so that all other views can show it, too.
  @MainActor func hasImage(_ index: Int) -> Bool { lastImage?.frameIndex == index }

  /// Returns all frames as the images of one animated image, within the limits. Blocks the thread while it decodes.
  func animatedImage(_ host: any FrameHost) throws -> BaseImage {
    let size = plan.decoded(at: decoding.step)
    let count = frameCount
    let decoder = host.frameDecoder
    guard let part = host.frameLimits.playable(count, of: try decoder.size(of: encoded), at: size) else {
      throw FutureImage.Failure(.tooManyPixels("two of its frames have more bytes than DecodingLimits.maxAnimationBytes"))
    }
    guard let animation = try decoder.animation(of: encoded, size: part.size) else {
      throw FutureImage.Failure(.undecodable("it has no frames"))
    }
    let decoded = try DecodedFrames(animation, part)
    if decoded.frames.count < count || part.size.width < size.width {
      host.reportReduced(to: decoded.frames.count, of: count, part.size, decoding.variant.source)
    }
    return try BaseImage.decoded(decoded, for: decoding, by: plan)
  }
}
