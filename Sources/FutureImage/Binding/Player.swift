import Observation

extension FutureImage {
  /// The playback of an animated image. All views that show the image share one player, so that they show the same frame at the same time.
  ///
  ///     item.photo.player?.isPaused = true
  ///
  /// An animation plays while a view in a window shows it. Unless the animation is paused, its next two frames are decoded ahead. If a
  /// frame is not ready when it is due, the former frame stays until the frame is ready. No frame is skipped. While no view in a window
  /// shows the image, the player stops, and releases its frames. It continues where it stopped.
  ///
  /// The properties are observable.
  @MainActor public final class Player: Observable {
    /// The number of frames.
    public let frameCount: Int
    /// The duration in seconds of all frames together.
    public let duration: TimeInterval
    /// The number of times that the animation plays, as its file states; 0 means forever. After the last time, the last frame stays.
    public let playCount: Int

    /// The durations of the frames in seconds.
    private let durations: [TimeInterval]
    /// The index of the frame that is shown.
    private(set) var index = 0
    /// The seconds for which the frame has been shown, at the speed of the animation.
    private var elapsed: TimeInterval = 0
    /// The number of times that the animation has played.
    private var played = 0
    private var storedIsPaused: Bool
    private var storedSpeed = 1.0
    private var showing: [Showing] = []
    /// The timer's time up to which the animation has advanced; nil while the animation does not advance.
    private var advancedTo: TimeInterval?
    private let timer: any FrameTimer
    private let registrar = ObservationRegistrar()

    /// A binding that shows a frame.
    @MainActor private struct Showing {
      weak var reader: Reader?
      weak var binding: Binding?
      weak var feed: AnimationFeed?

      /// Whether the place still shows a frame of the feed. After a reload, the binding is the same, and the frames are those of another
      /// feed.
      var isCurrent: Bool {
        guard reader != nil, let feed, let binding, binding.isCurrent else { return false }
        // Race: a former animation that continues to play after a reload.
        return binding.frame?.feed === feed
      }

      /// Whether people can see the place, so that it shows each frame.
      var isVisible: Bool { binding?.place?.plays ?? false }

      func isIn(_ place: Place) -> Bool { binding?.isIn(place) ?? false }

      /// Whether the place shows that frame.
      func shows(_ index: Int) -> Bool { binding?.frame?.frameIndex == index }
    }

    init(_ feed: AnimationFeed, _ timer: any FrameTimer, isPaused: Bool) {
      durations = Array(feed.durations.prefix(feed.frameCount))
      frameCount = durations.count
      duration = durations.reduce(0, +)
      playCount = feed.playCount
      storedIsPaused = isPaused
      self.timer = timer
    }

    /// Whether the animation is paused. An animation is paused at first if people have turned on Reduce Motion, or turned off Auto-Play
    /// Animated Images. After an animation has played as often as its file states, it is paused again. If you then set this property to
    /// false, the animation plays again from the first frame.
    public var isPaused: Bool {
      get {
        registrar.access(self, keyPath: \.isPaused)
        return storedIsPaused
      }
      set {
        guard newValue != storedIsPaused else { return }
        if !newValue, hasEnded { restart() }
        registrar.withMutation(of: self, keyPath: \.isPaused) { storedIsPaused = newValue }
        update()
      }
    }

    /// The speed; 1 for the speed that the file states, and 2 to play twice as fast. A speed that is not positive has no effect.
    public var speed: Double {
      get {
        registrar.access(self, keyPath: \.speed)
        return storedSpeed
      }
      set {
        guard newValue > 0, newValue.isFinite, newValue != storedSpeed else { return }
        if advancedTo != nil { advance() }
        registrar.withMutation(of: self, keyPath: \.speed) { storedSpeed = newValue }
        if advancedTo != nil { schedule() }
      }
    }

    /// The position in seconds from the beginning of the animation. If you set a position, the frame of that position appears as soon as it
    /// is decoded, and playing continues from there.
    public var time: TimeInterval {
      get {
        registrar.access(self, keyPath: \.time)
        return durations[..<index].reduce(0, +) + min(elapsed, durations[index])
      }
      set { seek(to: newValue) }
    }

    // MARK: Views

    /// Plays in the place of a binding from now on.
    func play(in binding: Binding, of reader: Reader, _ feed: AnimationFeed) {
      guard let place = binding.place else { return }
      // The place may have another binding, of a future that it showed before. Both bindings may have put the same frame there.
      let former = feeds { $0.isIn(place) }
      // Race: two futures that show one animation in one view.
      showing.removeAll { $0.isIn(place) }
      showing.append(Showing(reader: reader, binding: binding, feed: feed))
      releaseUnseen(former)
      if let view = place.platformView { view.watchWindow(for: self) }
      update()
    }

    /// Starts or stops, because a view has entered or left a window, or because the app has paused the animation.
    func update() {
      removeEnded()
      releaseUnseen(feeds { !$0.isVisible })
      guard showing.contains(where: \.isVisible) else { return stop() }
      showMissing()
      prepare()
      guard !storedIsPaused, frameCount > 1 else { return stop() }
      guard advancedTo == nil else { return }
      advancedTo = timer.now
      advance()
      schedule()
    }

    private func removeEnded() {
      let former = feeds { !$0.isCurrent }
      showing.removeAll { !$0.isCurrent }
      releaseUnseen(former)
    }

    /// Releases the frames of those feeds that no view in a window shows.
    private func releaseUnseen(_ former: [AnimationFeed]) {
      guard !former.isEmpty else { return }
      let seen = feeds()
      for feed in former where !seen.contains(where: { $0 === feed }) { feed.release() }
    }

    private func stop() {
      if let former = advancedTo { elapsed = min(elapsed + max(0, timer.now - former) * storedSpeed, durations[index]) }
      advancedTo = nil
      timer.stop()
    }

    /// The feeds of the bindings, each once.
    private func feeds(where isIncluded: (Showing) -> Bool = \.isVisible) -> [AnimationFeed] {
      var feeds: [AnimationFeed] = []
      for feed in showing.lazy.filter(isIncluded).compactMap(\.feed) where !feeds.contains(where: { $0 === feed }) { feeds.append(feed) }
      return feeds
    }

    // MARK: Time

    private var hasEnded: Bool { playCount > 0 && played >= playCount }

    private func restart() { (index, elapsed, played) = (0, 0, 0) }

    private func seek(to time: TimeInterval) {
      guard time.isFinite else { return }
      var rest = max(0, min(time, duration))
      var target = 0
      while target < playableCount - 1, rest >= durations[target] {
        rest -= durations[target]
        target += 1
      }
      registrar.withMutation(of: self, keyPath: \.time) {
        (index, elapsed) = (target, rest)
        if hasEnded { played = 0 }
      }
      if advancedTo != nil { advancedTo = timer.now }
      update()
      advance()
      schedule()
    }

    /// Advances to the frame that is due now, or to the last frame before it that is decoded.
    private func advance() {
      guard let former = advancedTo else { return }
      let now = timer.now
      advancedTo = now
      elapsed += max(0, now - former) * storedSpeed
      while isDue {
        guard let next = nextIndex else {
          (elapsed, played) = (durations[index], max(1, playCount))
          registrar.withMutation(of: self, keyPath: \.isPaused) { storedIsPaused = true }
          return stop()
        }
        guard feeds().allSatisfy({ $0.isReady(next) }) else {
          // The time until the frame is decoded does not count.
          elapsed = durations[index]
          return
        }
        let rest = max(0, elapsed - durations[index])
        if next == 0 { played += 1 }
        registrar.withMutation(of: self, keyPath: \.time) { (index, elapsed) = (next, rest) }
        show()
        guard advancedTo != nil else { return }
      }
    }

    /// Whether the next frame is due, within half a millisecond.
    private var isDue: Bool { elapsed > durations[index] - 0.0005 }

    /// The frame after the current frame; nil if the animation ends with the current frame.
    private var nextIndex: Int? {
      if index + 1 < playableCount { return index + 1 }
      return playableCount < 2 || playCount > 0 && played + 1 >= playCount ? nil : 0
    }

    /// The number of frames before the first frame that cannot be decoded.
    private var playableCount: Int { feeds { _ in true }.map(\.frameCount).min() ?? frameCount }

    /// Sets the timer to the next frame.
    private func schedule() {
      guard advancedTo != nil else { return }
      // A frame that is due waits for its decode, which calls `framesArrived`.
      guard !isDue else { return timer.stop() }
      timer.wake(after: (durations[index] - elapsed) / storedSpeed) { [weak self] in
        guard let self else { return }
        advance()
        schedule()
      }
    }

    // MARK: Frames

    /// Requests the decode of the frames that are shown next. A paused animation requests none of them, because they would stay in memory
    /// if its views then showed another image. While the animation is paused, nothing reports that change.
    private func prepare() {
      var wanted: [Int] = []
      if !storedIsPaused, let next = nextIndex {
        wanted.append(next)
        if playableCount > 2 { wanted.append(next + 1 < playableCount ? next + 1 : 0) }
      }
      for feed in feeds() {
        let isShown = feed.hasImage(index) || showing.allSatisfy { $0.feed !== feed || !$0.isVisible || $0.shows(index) }
        // While the views show another frame, that frame is in memory, too. So only one frame after the current frame is requested.
        feed.prepare(isShown ? wanted : [index] + wanted.prefix(1))
      }
    }

    /// Shows the current frame in all places that still show another frame of this player, and requests the decode of the next frames.
    private func show() {
      removeEnded()
      guard showing.contains(where: \.isVisible) else { return update() }
      showMissing()
      prepare()
    }

    /// Shows the current frame where it is decoded and not shown yet. Each step may call the app, which may bind or release anything.
    private func showMissing() {
      for shown in showing where shown.isVisible && !shown.shows(index) {
        guard let reader = shown.reader, let binding = shown.binding, let feed = shown.feed else { continue }
        reader.showFrame(index, of: feed, in: binding)
      }
    }
  }
}

extension FutureImage.Player: FramePlayer {
  func framesArrived() {
    update()
    advance()
    schedule()
  }
}

extension FutureImage {
  /// The playback of this image if it is an animation. Nil for a still image, and until the image has arrived.
  @MainActor public var player: Player? { root.reader.flatMap { reader in image?.feed.map { reader.player(of: $0) } } }
}

@MainActor extension Reader {
  /// Returns the player of an animation. All decodes of the image share this player.
  func player(of feed: AnimationFeed) -> FutureImage.Player {
    if let player = feed.player as? FutureImage.Player { return player }
    let loader = descriptor.loader
    let others = loader.pool.decodes(of: feed.key.variant.source).lazy.compactMap(\.image.feed)
    let shared =
      others.first { $0.key.variant.generation == feed.key.variant.generation && $0.player != nil }?.player as? FutureImage.Player
    let isPaused = reducesMotion || !playsAnimatedImages
    let player = shared ?? FutureImage.Player(feed, makeFrameTimer(loader.configuration.clock), isPaused: isPaused)
    feed.player = player
    return player
  }

  /// Returns the image that a place shows for this image: the current frame if this image is an animation that plays.
  func current(_ image: BaseImage) -> BaseImage {
    guard let feed = image.feed, let player = feed.player as? FutureImage.Player else { return image }
    return feed.image(player.index, like: image) ?? image
  }

  /// Plays the image in the place of a binding that shows it, if the image is a frame of an animation.
  func play(_ image: BaseImage, in binding: FutureImage.Binding) {
    guard let feed = image.feed, binding.isCurrent else { return }
    binding.frame = image
    player(of: feed).play(in: binding, of: self, feed)
  }

  /// Replaces the frame that the place of a binding shows with another frame. Does nothing if that frame is not decoded.
  func showFrame(_ index: Int, of feed: AnimationFeed, in binding: FutureImage.Binding) {
    guard let place = binding.place, let placeImage = place.image, binding.isShowing(placeImage), let former = binding.frame else { return }
    guard let frame = feed.image(index, like: former) else { return }
    let image = applyingAppearance(to: frame, in: place)
    let future = placeImage is FutureImage ? withLock(\.future) : nil
    let shown = future.map { carrier(of: image, for: $0, in: binding) } ?? image
    binding.willShow(shown)
    binding.frame = frame
    place.put(shown)
  }
}
