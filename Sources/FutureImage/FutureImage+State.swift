extension FutureImage {
  /// The part of a future that any thread may access.
  struct State: Departing {
    /// The progress of the bytes.
    enum Stage {
      case waiting
      case loading(Double?)
      case fetched
      /// Stored indirectly, because every future has room for two stages, and few fail.
      indirect case failed(Refusals.Refusal)
    }

    /// The size of the whole image in pixels, after its transform.
    enum Size {
      /// No bytes have arrived.
      case unknown
      case whole(PixelSize)
      /// The bytes are those of the smaller image that replaces the source's on some networks.
      case substitute(PixelSize)
    }

    /// The changes that wait for the main actor's turn.
    enum PendingCommit {
      case none
      case due
      /// An image arrived, but there was no room to retain it until the commit. It is shown if it still exists; otherwise it is decoded
      /// again.
      case dueWithoutPicture
    }

    enum Watched: Comparable {
      case nothing
      /// Watched by views, which show no stage.
      case pictures
      /// Watched by observers, and by views with a presentation.
      case phase
    }

    // The image's state.
    var stage = Stage.waiting {
      didSet { depart(oldValue) }
    }
    /// The generation: which of the images that have replaced each other under the key.
    var revision: UInt32 = 0
    var size = Size.unknown

    // The fields of one byte are side by side, in the room that the alignment of the next one leaves.
    /// Whether views may show the image. If so, arriving bytes are retained until those are measured.
    var isBound = false
    /// The part that may be watched. Its changes must go through the main actor.
    var watched = Watched.nothing
    var pendingCommit = PendingCommit.none

    /// The largest decode of this generation. The pool, a view, or another object owns it, but never the future.
    var best: UIImage? {
      get { Scheduling.read(knownBest) }
      set { knownBest = newValue }
    }
    private weak var knownBest: UIImage?

    // The requests to the loader.
    var wish = Wish.none
    /// The request of a background revalidation, for which nothing waits.
    var revalidation: LoadRequest?
    var pixelRequests: [LoadRequest] = []

    // The visible state.
    var visibleStage = Stage.waiting {
      didSet { depart(oldValue) }
    }
    var visibleRevision: UInt32 = 0
    var visible: UIImage? {
      get { Scheduling.read(knownVisible) }
      set { knownVisible = newValue }
    }
    private weak var knownVisible: UIImage?

    /// The images on their way to the main actor. Retained until they are shown, so that an eviction from the pool does not release them in
    /// between.
    var arrived: [UIImage] = []

    var rare: Rare?
  }

  /// State that few futures have at a time. Most futures of a long list are never shown, and have no room for it.
  final class Rare: @unchecked Sendable {
    // Sendable: guarded by the future's lock. The empty object, which all futures share, is only read.
    static let none = Rare()

    /// Retained while waiters or views need pixels, and for good if no disk tier has the bytes.
    fileprivate var encoded: Encoded?
    fileprivate var waiters: [Waiter] = []
    /// The number of prefetches that hold the future.
    fileprivate var prefetches = 0
    fileprivate var observers: Observers?
    /// The shares that count the arrived pixels.
    fileprivate var arrivedShares: [ArrivedBytes.Share] = []
    fileprivate var calls: [@MainActor @Sendable () -> Void] = []
    /// The last image that was returned in another appearance than it was decoded in.
    fileprivate weak var dressed: DecodedImage?
    fileprivate var derivedImages: DerivedImages?
    /// The future of the image for dark mode, once a view in dark mode has needed it.
    fileprivate var dark: FutureImage?
    /// The future that owns this one as its dark future.
    fileprivate weak var light: FutureImage?
    fileprivate var departed = Departed()
  }

  /// A waiter for the image. It is called once: when the image has the pixels needed, or has failed.
  struct Waiter {
    let fitting: Fitting
    /// Called on any thread.
    let tell: @Sendable (Result<UIImage, Failure>) -> Void
    /// Retained while the waiter waits. The reference cycle ends when the waiter is called.
    let future: FutureImage
    let id: ObjectIdentifier?
    /// Whether this is a prefetch, which waits but is not urgent.
    var isPrefetch = false
  }
}

// Getters never allocate `Rare`. Setters do, unless they would store the default.
extension FutureImage.State {
  private var some: FutureImage.Rare { rare ?? .none }

  private var mine: FutureImage.Rare {
    mutating get {
      if let rare { return rare }
      let made = FutureImage.Rare()
      rare = made
      return made
    }
  }

  var encoded: Encoded? {
    get { some.encoded }
    set {
      if let rare, let former = rare.encoded { rare.departed.add(former) }
      if rare != nil || newValue != nil { mine.encoded = newValue }
    }
  }

  // Fast paths: most futures have none.
  var hasBytes: Bool { rare?.encoded != nil }
  var hasWaiters: Bool { rare?.waiters.isEmpty == false }

  var waiters: [FutureImage.Waiter] {
    get { some.waiters }
    _modify { yield &mine.waiters }
  }

  var prefetches: Int {
    get { some.prefetches }
    set { mine.prefetches = newValue }
  }

  var observers: FutureImage.Observers? {
    get { some.observers }
    set { mine.observers = newValue }
  }

  var dressed: DecodedImage? {
    get { Scheduling.read(some.dressed) }
    set { mine.dressed = newValue }
  }

  /// The futures of the same image in other appearances.
  var derivedImages: DerivedImages {
    mutating get {
      if let known = some.derivedImages { return known }
      let made = DerivedImages()
      mine.derivedImages = made
      return made
    }
  }

  /// Set once, before any other code has the dark future.
  var dark: FutureImage? {
    get { some.dark }
    set { mine.dark = newValue }
  }

  var light: FutureImage? {
    get { Scheduling.read(some.light) }
    set { mine.light = newValue }
  }

  var arrivedShares: [ArrivedBytes.Share] {
    get { some.arrivedShares }
    set { if rare != nil || !newValue.isEmpty { mine.arrivedShares = newValue } }
  }

  var calls: [@MainActor @Sendable () -> Void] {
    get { some.calls }
    _modify { yield &mine.calls }
  }
}

// Failures own errors of the app, and bytes and images may belong to the app, so none is released inside the lock.
extension FutureImage.State {
  func moveDeparted(to departed: inout Departed) { rare?.departed.move(to: &departed) }

  mutating func depart(_ images: [UIImage]) {
    if !images.isEmpty { mine.departed.add(images) }
  }

  private mutating func depart(_ stage: Stage) {
    if case .failed = stage { mine.departed.add(stage) }
  }
}

extension FutureImage.State {
  /// The size of the whole image, or of its smaller substitute; nil before bytes have arrived.
  var natural: FutureImage.PixelSize? {
    switch size {
    case .unknown: nil
    case .whole(let size), .substitute(let size): size
    }
  }

  var isSubstitute: Bool { if case .substitute = size { true } else { false } }

  /// Whether the future must retain its bytes, because no disk tier has them.
  var hasUnstoredBytes: Bool { rare?.encoded?.isStored == false }

  var phase: FutureImage.Phase {
    if let visible { return .ready(visible) }
    return switch visibleStage {
    case .waiting: .waiting
    case .loading(let fraction): .loading(fraction)
    case .fetched: .fetched
    case .failed(let refusal): .failed(refusal.failure)
    }
  }

  /// The reason for requests, for the loader's queue.
  var urgency: Rank.Reason {
    if isBound || waiters.contains(where: { !$0.isPrefetch }) { return .bound }
    return prefetches > 0 ? .prefetched : .created
  }

  mutating func takeWaiters() -> [FutureImage.Waiter] {
    guard hasWaiters else { return [] }
    defer { waiters = [] }
    return waiters
  }

  /// Removes all requests, for the caller to cancel.
  mutating func dropRequests() -> [LoadRequest] {
    var dropped: [LoadRequest] = []
    swap(&dropped, &pixelRequests)
    if let request = wish.request { dropped.append(request) }
    if let revalidation { dropped.append(revalidation) }
    wish = .none
    revalidation = nil
    return dropped
  }
}
