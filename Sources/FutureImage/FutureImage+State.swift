extension FutureImage {
  /// All of a future that any thread may touch.
  struct State: Departing {
    /// How far the bytes are.
    enum Stage {
      case waiting
      case loading(Double?)
      case fetched
      /// Elsewhere, because every future has room for two stages, and few fail.
      indirect case failed(Refusals.Refusal)
    }

    /// The size of the whole picture in pixels, after its transform.
    enum Size {
      /// No bytes have come.
      case unknown
      case whole(PixelSize)
      /// The bytes are those of the smaller picture that stands for the source on some networks.
      case substitute(PixelSize)
    }

    /// Readers of `image`, who get the whole picture.
    enum Reader {
      case none
      case waits
      /// The pool had let the whole picture go already. The next one is held until it is read, for the pool may be too small for it, and each
      /// reading would start the decode that the next reading finds gone.
      case waitsAgain
      /// The picture that such a reader waits for came, and is not visible yet.
      case isToBeHeld

      var waitsForPixels: Bool { self == .waits || self == .waitsAgain }
    }

    /// What waits for the main actor's turn.
    enum PendingCommit {
      case none
      case due
      /// A picture came that there was no room to hold until then: it is shown if it lives still, else made again.
      case dueWithoutPicture
    }

    enum Watched: Comparable {
      case nothing
      /// By views, which show no stage.
      case pictures
      /// By observers, and views with a presentation.
      case phase
    }

    // What is so.
    var stage = Stage.waiting {
      didSet { depart(oldValue) }
    }
    /// Which of the pictures this is that replaced each other under the key.
    var revision: UInt32 = 0
    var size = Size.unknown
    /// The largest decode of this revision: the pool's, a view's, anybody's but the future's own.
    var best: UIImage? {
      get { Scheduling.read(knownBest) }
      set { knownBest = newValue }
    }
    private weak var knownBest: UIImage?

    // What is asked of the loader.
    var wish = Wish.none
    /// Of the question whether the picture that is here still holds, which nobody waits for.
    var revalidation: LoadRequest?
    var pixelRequests: [LoadRequest] = []

    // Who asks.
    var reader = Reader.none
    /// Views may show it: bytes that came are kept until those were measured.
    var isBound = false
    /// What somebody may look at: changes of that must go through the main actor.
    var watched = Watched.nothing

    // What can be seen.
    var visibleStage = Stage.waiting {
      didSet { depart(oldValue) }
    }
    var visibleRevision: UInt32 = 0
    var visible: UIImage? {
      get { Scheduling.read(knownVisible) }
      set { knownVisible = newValue }
    }
    private weak var knownVisible: UIImage?
    /// Whether the picture that was seen last was the whole one.
    var wasWhole = false

    // What is on its way to the main actor.
    var pendingCommit = PendingCommit.none
    /// Held until they are shown, so that the pool cannot let them go in between.
    var arrived: [UIImage] = []

    var rare: Rare?
  }

  /// What few futures have at a time. Most of a long list are never looked at, and have no room for it.
  final class Rare: @unchecked Sendable {
    // Sendable: guarded by the future's lock. The empty one, which all share, is only read.
    static let none = Rare()

    /// Kept while somebody waits for pixels, and for good where no disk tier has them.
    fileprivate var encoded: Encoded?
    fileprivate var waiters: [Waiter] = []
    /// How many prefetches hold the future.
    fileprivate var prefetches = 0
    fileprivate var observers: Observers?
    fileprivate var heldForReader: UIImage?
    /// Count the pixels that arrived.
    fileprivate var arrivedShares: [ArrivedBytes.Share] = []
    fileprivate var calls: [@MainActor @Sendable () -> Void] = []
    /// The last picture that was handed out in an appearance of its own.
    fileprivate weak var dressed: DecodedImage?
    /// The future of the picture that views in dark mode show, once one has.
    fileprivate var dark: FutureImage?
    /// The future that this one is the dark one of, which holds it.
    fileprivate weak var light: FutureImage?
    fileprivate var departed = Departed()
  }

  /// Somebody who is told once, when the picture is there in the size they need or will not come.
  struct Waiter {
    let fitting: Fitting
    /// Called on any thread.
    let tell: @Sendable (Result<UIImage, Failure>) -> Void
    /// Lives while somebody waits for it; the circle ends when the waiter is told.
    let future: FutureImage
    let id: ObjectIdentifier?
    /// A prefetch waits as well, but is in no hurry.
    var isPrefetch = false
  }
}

// Reading makes nothing; writing makes room, unless it would write what is so anyway.
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

  // Asked more often than there are any.
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

  var heldForReader: UIImage? {
    get { some.heldForReader }
    set {
      if let rare, let former = rare.heldForReader { rare.departed.add(former) }
      if rare != nil || newValue != nil { mine.heldForReader = newValue }
    }
  }

  var dressed: DecodedImage? {
    get { Scheduling.read(some.dressed) }
    set { mine.dressed = newValue }
  }

  /// Set once, before anybody else has the other future.
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

// Failures own errors of the app's, bytes and images may be the app's own: none is released inside the lock.
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
  /// The size of the whole picture, or of the smaller one in its place; nil before bytes have come.
  var natural: FutureImage.PixelSize? {
    switch size {
    case .unknown: nil
    case .whole(let size), .substitute(let size): size
    }
  }

  var isSubstitute: Bool { if case .substitute = size { true } else { false } }

  /// Whether the bytes are the future's to keep: no disk tier has them.
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

  /// Why the loader is asked, for its queue.
  var urgency: Rank.Reason {
    if isBound || reader.waitsForPixels || waiters.contains(where: { !$0.isPrefetch }) { return .bound }
    return prefetches > 0 ? .prefetched : .created
  }

  /// What can be seen is the whole of the newest picture.
  var showsAll: Bool { visible?.step == .full && visibleRevision == revision }

  /// The pixels that waiters, readers of `image` and views need of a picture whose size is known, and that are not requested yet: the
  /// smallest first, which is there soonest and shows something meanwhile.
  /// - Parameter steps: those of views.
  func missingPixels(_ steps: Set<Step>, _ descriptor: Descriptor) -> [PixelPool.Key] {
    guard let natural, reader.waitsForPixels || !steps.isEmpty || hasWaiters else { return [] }
    var steps = steps.union(waiters.map { Step(showing: natural, $0.fitting) })
    if reader.waitsForPixels { steps.insert(.full) }
    let variant = descriptor.variant(revision, isSubstitute: isSubstitute)
    let keys = steps.sorted().map { PixelPool.Key(variant: variant, step: $0) }
    return pixelRequests.isEmpty ? keys : keys.filter { key in !pixelRequests.contains { $0.pixels == key } }
  }

  /// Writes down requests for pixels of the picture whose bytes are here.
  mutating func requestPixels(_ keys: [PixelPool.Key], of future: FutureImage) -> [LoadRequest] {
    if keys.isEmpty { return [] }
    let requests = keys.map { LoadRequest(.pixels($0), of: future) }
    pixelRequests += requests
    return requests
  }

  /// Takes in a picture that is there, and makes it visible.
  /// - Parameter share: room to hold it until it is shown; nil where there is none, or nobody looks.
  /// - Returns: those who waited for it, and whether the caller must have the main actor make it visible.
  mutating func adopt(_ image: UIImage, _ share: ArrivedBytes.Share?) -> (told: [FutureImage.Waiter], mustCommit: Bool) {
    let natural = self.natural ?? image.naturalSize
    if case .unknown = size { size = .whole(natural) }
    if best.map({ $0.step < image.step }) ?? true { best = image }
    let isHeld = share != nil || watched == .nothing
    if isHeld {
      arrived.append(image)
      if let share { arrivedShares.append(share) }
      if image.step == .full { endReading() }
    }
    let mustCommit = mustCommit(isHeld ? .due : .dueWithoutPicture)
    guard hasWaiters else { return ([], mustCommit) }
    let told = waiters.filter { Step(showing: natural, $0.fitting) <= image.step }
    waiters.removeAll { Step(showing: natural, $0.fitting) <= image.step }
    return (told, mustCommit)
  }

  /// The whole picture came.
  private mutating func endReading() {
    switch reader {
    case .none, .isToBeHeld: break
    case .waits: reader = .none
    case .waitsAgain: reader = .isToBeHeld
    }
  }

  mutating func takeWaiters() -> [FutureImage.Waiter] {
    guard hasWaiters else { return [] }
    defer { waiters = [] }
    return waiters
  }

  /// Makes a change visible: at once if nobody looks.
  /// - Returns: whether the caller must have the main actor do it.
  mutating func mustCommit(_ commit: PendingCommit = .due) -> Bool {
    guard watched > .nothing else {
      makeVisible()
      return false
    }
    let isFirst = pendingCommit == .none
    if pendingCommit != .dueWithoutPicture { pendingCommit = commit }
    return isFirst
  }

  /// The same where nothing but the stage has changed, which a view without a presentation does not show.
  mutating func mustCommitStage() -> Bool {
    guard watched < .phase else { return mustCommit() }
    visibleStage = stage
    return false
  }

  /// - Returns: the pictures that arrived.
  @discardableResult mutating func makeVisible() -> [UIImage] {
    visibleStage = stage
    takeMissed()
    guard !arrived.isEmpty else { return [] }
    defer {
      arrived = []
      arrivedShares = []
    }
    if let largest = arrived.max(by: { $0.step < $1.step }), visibleRevision != revision || visible.map({ $0.step <= largest.step }) ?? true
    {
      visible = largest
      visibleRevision = revision
      wasWhole = largest.step == .full
      if wasWhole, reader == .isToBeHeld {
        heldForReader = largest
        reader = .none
      }
    }
    return arrived
  }

  /// Shows a picture that nobody held if it lives still. Else views that lack it, and readers of `image`, have it made again.
  private mutating func takeMissed() {
    guard pendingCommit == .dueWithoutPicture else { return }
    pendingCommit = .due
    guard let best else { return }
    // Nobody else may have it any more.
    depart([best])
    arrived.append(best)
    if best.step == .full { endReading() }
  }

  /// Gives up all requests, which the caller cancels.
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
