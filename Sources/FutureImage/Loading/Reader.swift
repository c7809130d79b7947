/// The part of a future that its loader knows: what the future needs of its picture, and what it shows. Guarded by the loader's lock,
/// except for the places that show the image. A future whose source has an image for dark mode has a second reader, for that image.
final class Reader: @unchecked Sendable {
  // Sendable: the loader's lock guards everything but the descriptor, which never changes, and the bindings, which are on the main actor.

  /// The need for bytes.
  enum Demand: UInt8 {
    /// The image has never been needed, so the reader is not registered with the loader.
    case deferred
    case none
    /// The bytes are requested.
    case bytes
    /// The source is asked again, whatever caches have. An existing image stays until a changed one has arrived.
    case reload
  }

  /// The changes that wait for the main actor's turn.
  enum PendingCommit: UInt8 {
    case none
    case due
    /// An image arrived, but there was no room to retain it until the commit. It is shown if it still exists; otherwise it is decoded
    /// again.
    case dueWithoutImage
  }

  enum Watched: UInt8, Comparable {
    case nothing
    /// Watched by views, which show no stage.
    case images
    /// Watched by observers, and by views with a presentation.
    case phase

    static func < (one: Watched, other: Watched) -> Bool { one.rawValue < other.rawValue }
  }

  let descriptor: Descriptor
  /// The picture under the key of ``current``; nil until the reader is registered.
  var picture: Picture?

  // The fields of one byte are side by side, in the room that the alignment of the next one leaves.
  var demand = Demand.none
  /// Whether views may show the image. If so, arriving bytes are retained until those are measured.
  var isBound = false
  var watched = Watched.nothing
  var pendingCommit = PendingCommit.none
  /// Whether its views were not measured since the bytes arrived.
  var isUnmeasured = false
  private var waitsForJoined = false
  private var revalidatesByJoined = false
  /// Whether the image was deleted or withdrawn, and may still be visible.
  var isDeleted = false
  /// Whether its future is gone, and views may still show its image: a follower. It requests nothing then.
  var isFollower = false
  /// Whether pixels of the present image could not be made while bytes are requested. Their arrival decides whether to try again.
  var pixelsHaveFailed = false
  /// The place among the picture's readers.
  var index: Int32 = -1
  /// The generation of the image that it has, or has requested. If its picture is ahead, another image has taken the place of that one.
  var generation: UInt32 = 0
  /// The number of the last request to the source that it joined.
  private var joined: UInt32 = 0
  /// The number of requests so far. A request is identified by it.
  var requestNumber: UInt32 = 0
  /// The number of times that another image took the place of the one that this reader had.
  var revision: UInt32 = 0
  var visibleRevision: UInt32 = 0

  /// The disk read that it waits for, unless that is over.
  var lookup: Lookup?
  /// The size of the whole image in pixels, after its transform; nil until bytes have arrived.
  var fullSize: FutureImage.PixelSize? {
    get { width == 0 ? nil : FutureImage.PixelSize(width: Int(width), height: Int(height)) }
    set { (width, height) = (UInt32(clamping: newValue?.width ?? 0), UInt32(clamping: newValue?.height ?? 0)) }
  }
  private var width: UInt32 = 0
  private var height: UInt32 = 0

  /// The largest decode of this image. The pool, a view, or another object owns it, but never the future.
  var largestDecode: UIImage? {
    get { Scheduling.read(weakLargestDecode) }
    set { weakLargestDecode = newValue }
  }
  private weak var weakLargestDecode: UIImage?
  var visible: UIImage? {
    get { Scheduling.read(knownVisible) }
    set { knownVisible = newValue }
  }
  private weak var knownVisible: UIImage?

  /// The places that show the image. They outlive the future.
  @MainActor var bindings: [FutureImage.Binding] = []

  private var cold: ColdState?

  init(_ descriptor: Descriptor, isDeferred: Bool) {
    self.descriptor = descriptor
    if isDeferred { demand = .deferred }
  }

  /// State that few futures have at a time. Most futures of a long list are never shown, and have no room for it.
  fileprivate final class ColdState {
    // Never changed: the setters make an object of their own.
    static nonisolated(unsafe) let none = ColdState()

    weak var future: FutureImage?
    var failure: FailureMemory.Entry?
    /// The steps that its views need of the bytes that are requested.
    var needs: Set<DecodeStep> = []
    var waiters: [FutureImage.Waiter] = []
    /// The number of prefetches that hold the future.
    var prefetches = 0
    var decodes: [Decode] = []
    /// The images on their way to the main actor. Retained until they are shown, so that an eviction from the pool does not release them in
    /// between.
    var arrived: [UIImage] = []
    /// The bytes that they are counted as.
    var arrivedBytes = 0
    var observers: FutureImage.Observers?
    var calls: [@MainActor @Sendable () -> Void] = []
    /// The stage that observers have seen last; nil if it is the current one.
    var visibleStage: FutureImage.Stage?
    /// The last image that was returned in another appearance than it was decoded in.
    weak var dressed: DecodedImage?
    var derivedImages: DerivedImages?
    /// The reader of the image for dark mode, once a view in dark mode has needed it.
    var dark: Reader?
    /// The descriptor of the smaller image, if that is read instead.
    var smaller: Descriptor?
  }
}

// Getters never allocate `ColdState`. Setters do, unless they would store the default.
extension Reader {
  private var coldOrDefault: ColdState { cold ?? .none }

  private var ownCold: ColdState {
    if let cold { return cold }
    let made = ColdState()
    cold = made
    return made
  }

  /// The future; nil once it is gone, or if nothing has watched it yet. Inside the lock, the caller returns it: a future must not be
  /// deallocated there.
  var future: FutureImage? {
    get { Scheduling.read(coldOrDefault.future) }
    set { ownCold.future = newValue }
  }

  /// The failure in which its last request ended.
  var failure: FailureMemory.Entry? {
    get { coldOrDefault.failure }
    set { if cold != nil || newValue != nil { ownCold.failure = newValue } }
  }

  var needs: Set<DecodeStep> {
    get { coldOrDefault.needs }
    set { if cold != nil || !newValue.isEmpty { ownCold.needs = newValue } }
  }

  // A fast path: most futures have none.
  var hasWaiters: Bool { cold?.waiters.isEmpty == false }

  var waiters: [FutureImage.Waiter] {
    get { coldOrDefault.waiters }
    _modify { yield &ownCold.waiters }
  }

  var prefetches: Int {
    get { coldOrDefault.prefetches }
    set { ownCold.prefetches = newValue }
  }

  /// The decodes that it waits for.
  var decodes: [Decode] {
    get { coldOrDefault.decodes }
    set { if cold != nil || !newValue.isEmpty { ownCold.decodes = newValue } }
  }

  var arrived: [UIImage] {
    get { coldOrDefault.arrived }
    set { if cold != nil || !newValue.isEmpty { ownCold.arrived = newValue } }
  }

  var arrivedBytes: Int {
    get { coldOrDefault.arrivedBytes }
    set { ownCold.arrivedBytes = newValue }
  }

  var observers: FutureImage.Observers? {
    get { coldOrDefault.observers }
    set { ownCold.observers = newValue }
  }

  var calls: [@MainActor @Sendable () -> Void] {
    get { coldOrDefault.calls }
    _modify { yield &ownCold.calls }
  }

  var dressed: DecodedImage? {
    get { Scheduling.read(coldOrDefault.dressed) }
    set { ownCold.dressed = newValue }
  }

  /// The futures of the same image in other appearances.
  var derivedImages: DerivedImages {
    if let known = coldOrDefault.derivedImages { return known }
    let made = DerivedImages()
    ownCold.derivedImages = made
    return made
  }

  /// Set once, on the main actor.
  var dark: Reader? {
    get { coldOrDefault.dark }
    set { ownCold.dark = newValue }
  }

  /// The descriptor of the smaller image that is read in place of the source's.
  var smaller: Descriptor? {
    get { coldOrDefault.smaller }
    set { if cold != nil || newValue != nil { ownCold.smaller = newValue } }
  }
}

extension Reader {
  /// Reads or changes the reader inside the loader's lock. Whatever may be the last reference to an object leaves the lock with the result.
  /// For a change with consequences, see ``FutureImage/Loader/change(_:)``.
  @discardableResult func withLock<Result>(_ body: (Reader) -> Result) -> Result {
    descriptor.loader.state.withLock { _ in body(self) }
  }

  /// Starts the fetch of a future that was created without one.
  func start() { if withLock({ $0.demand == .deferred }) { descriptor.loader.begin(self) } }

  /// The image that is read: the source's, or a smaller one in its place.
  var current: Descriptor { cold?.smaller ?? descriptor }

  /// Whether it has ever had its own image. An image that must be revalidated before it is shown was revalidated then, and a view may
  /// continue to show it, as a page does with its images: HTML, section 4.8.4.3.5, "The list of available images".
  var hasHadImage: Bool { fullSize != nil && cold?.smaller == nil }

  /// Whether bytes are expected.
  var isPending: Bool { demand == .bytes || demand == .reload }

  /// Whether it waits for the picture's request to the source.
  var isInFetch: Bool {
    get { picture?.fetch.map { waits(for: $0) } ?? false }
    set { waitsForJoined = newValue }
  }

  /// Whether the picture's request to the source revalidates the image for it, for which nothing waits.
  var revalidates: Bool {
    get { revalidatesByJoined && picture?.fetch?.number == joined }
    set { revalidatesByJoined = newValue }
  }

  /// Makes it one of the fetch's readers. An earlier fetch, which it leaves, may have ended without a change of its thousands of readers.
  func join(_ fetch: Fetch) { if joined != fetch.number { (joined, waitsForJoined, revalidatesByJoined) = (fetch.number, false, false) } }

  /// Whether it waits, or waited until the end, for the fetch.
  func waits(for fetch: Fetch) -> Bool { waitsForJoined && joined == fetch.number }

  /// Whether it is to learn the outcome of the fetch, which is over.
  func isDue(from fetch: Fetch) -> Bool { waits(for: fetch) && awaitsNothing }

  /// Whether another image has taken the place of the one that it still has.
  var isOutdated: Bool { picture.map { $0.generation != generation } ?? false }

  /// Whether it waits for bytes, and what it waited for has ended.
  var awaitsNothing: Bool { isPending && !isInFetch && lookup?.isOver ?? true }

  /// Whether it reads the picture, which has had no other image since.
  func reads(_ picture: Picture, at generation: UInt32) -> Bool {
    self.picture === picture && picture.generation == generation && index >= 0
  }

  /// The progress of the bytes.
  var stage: FutureImage.Stage {
    if let failure { return .failed(failure) }
    if isInFetch, isPending, let fetch = picture?.fetch, fetch.isLoading { return .loading(fetch.fraction) }
    return fullSize == nil || demand == .reload ? .waiting : .fetched
  }

  /// The stage that observers have seen.
  var visibleStage: FutureImage.Stage {
    get { cold?.visibleStage ?? stage }
    set { ownCold.visibleStage = newValue }
  }

  /// The urgency of its jobs.
  var urgency: Rank.Reason {
    if isBound || hasWaiters && waiters.contains(where: { !$0.isPrefetch }) { return .bound }
    return (cold?.prefetches ?? 0) > 0 ? .prefetched : .created
  }

  /// Returns a failure of the source.
  func failure(_ reason: FutureImage.Failure.Reason) -> FutureImage.Failure {
    FutureImage.Failure(reason, key: descriptor.key.text).of(descriptor.source)
  }

  /// Whether it has ended in a failure that the same bytes would cause again.
  var hasFailed: Bool { isPending ? pixelsHaveFailed : failure != nil }

  /// The failure in which it ended, if that is remembered. Whether it still applies is read outside the lock.
  var remembered: FailureMemory.Entry? {
    guard !isPending, let failure, failure.answers else { return nil }
    return failure
  }

  func variant() -> PixelPool.Variant { current.variant(picture?.generation ?? 0) }

  /// Returns the size of the whole image after its transform.
  /// - Parameter size: the size of the image in pixels.
  func whole(of size: FutureImage.PixelSize) -> FutureImage.PixelSize {
    // Thousands of readers may have no transform.
    descriptor.transform == nil ? size : variant().plan(for: size).whole
  }

  /// Returns the pixels that waiters and views need of an image whose size is known, and that are not requested yet. The smallest is first,
  /// because it is decoded soonest and a view can show it in the meantime.
  /// - Parameter steps: the steps that views need.
  func missingPixels(_ steps: Set<DecodeStep>) -> [PixelPool.Key] {
    guard let fullSize, !steps.isEmpty || hasWaiters else { return [] }
    let steps = steps.union(waiters.map { DecodeStep(showing: fullSize, $0.fitting) })
    let variant = variant()
    let keys = steps.sorted().map { PixelPool.Key(variant: variant, step: $0) }
    let requested = decodes
    return requested.isEmpty ? keys : keys.filter { key in !requested.contains { $0.key == key } }
  }
}

extension FutureImage {
  /// The progress of an image's bytes.
  enum Stage {
    case waiting
    case loading(Double?)
    case fetched
    case failed(FailureMemory.Entry)
  }

  /// A waiter for the image. It is called once: when the image has the pixels needed, or has failed.
  struct Waiter: Sendable {
    let fitting: Fitting
    /// Called on any thread.
    let tell: @Sendable (Result<UIImage, Failure>) -> Void
    /// Retained while the waiter waits. The reference cycle ends when the waiter is called.
    let future: FutureImage
    let id: ObjectIdentifier?
    /// Whether this is a prefetch, which waits but is less urgent than other waiters.
    var isPrefetch = false
  }
}
