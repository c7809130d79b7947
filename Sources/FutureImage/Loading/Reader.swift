/// The loader's part of a future: what the future needs of its picture, and what it shows. Guarded by the loader's lock, except for the
/// places that show the image. A future whose source has an image for dark mode has a second reader, for that image.
final class Reader: @unchecked Sendable {
  // Sendable: the loader's lock guards everything but the descriptor, which never changes, and the bindings, which are on the main actor.

  /// The type of a reader's future, as far as loading knows it.
  typealias Owner = any AnyObject & Sendable

  /// The reader's need for bytes.
  enum Demand: UInt8 {
    /// The image has never been needed, so the reader is not registered with the loader.
    case deferred
    case none
    /// The bytes are requested.
    case bytes
    /// The image is requested from the source again, whatever caches have. An existing image stays until a changed image has arrived.
    case reload
  }

  /// The changes that wait for a turn of the main actor.
  enum PendingCommit: UInt8 {
    case none
    case due
    /// An image has arrived, but the reader does not retain it, because the images that wait for a commit would exceed the limit. The
    /// commit shows the image if it still exists. Otherwise, the image is decoded again.
    case dueWithoutImage
  }

  /// The changes of the reader that something watches. Each case includes the cases before it.
  enum Watched: UInt8, Comparable {
    case nothing
    /// The images are watched, but the stage is not, for example by views without a presentation.
    case images
    /// The images and the stage are watched, by observers or by views with a presentation.
    case phase

    static func < (one: Watched, other: Watched) -> Bool { one.rawValue < other.rawValue }
  }

  let descriptor: Descriptor
  /// The picture under the key of ``current``; nil until the reader is registered.
  var picture: Picture?

  // The fields of one byte are adjacent, so that they fill the padding before the next field.
  var demand = Demand.none
  /// Whether views may show the image. If so, arriving bytes are retained until the views are measured.
  var isBound = false
  var watched = Watched.nothing
  var pendingCommit = PendingCommit.none
  /// Whether the reader's views have not been measured since the bytes arrived.
  var isUnmeasured = false
  /// Whether the reader waits for the fetch that it joined last.
  private var waitsForJoined = false
  /// Whether the fetch that the reader joined last revalidates the image, without the reader waiting for the fetch.
  private var revalidatesByJoined = false
  /// Whether the image was deleted or withdrawn, and may still be visible.
  var isDeleted = false
  /// Whether the reader is a follower: its future is gone, and views may still show its image. A follower requests nothing.
  var isFollower = false
  /// Whether pixels of the current image could not be made while a request for bytes is pending. Until the bytes arrive, only a retry
  /// requests the pixels again.
  var pixelsHaveFailed = false
  /// The index among the picture's readers; -1 if the reader is not one of them.
  var index: Int32 = -1
  /// The generation of the image that the reader has or has requested. If the picture's generation is greater, another image has replaced
  /// that one.
  var generation: UInt32 = 0
  /// The number of the last fetch that the reader joined.
  private var joined: UInt32 = 0
  /// The number of the reader's requests so far, which identifies the last request.
  var requestNumber: UInt32 = 0
  /// The number of times that another image replaced the image of this reader.
  var revision: UInt32 = 0
  /// The revision of the visible image.
  var visibleRevision: UInt32 = 0

  /// The lookup that the reader waits for; nil if there is none. It may have ended.
  var lookup: Lookup?
  /// The size of the whole image in pixels, after its transform; nil until bytes have arrived.
  var fullSize: FutureImage.PixelSize? {
    get { width == 0 ? nil : FutureImage.PixelSize(width: Int(width), height: Int(height)) }
    set { (width, height) = (UInt32(clamping: newValue?.width ?? 0), UInt32(clamping: newValue?.height ?? 0)) }
  }
  private var width: UInt32 = 0
  private var height: UInt32 = 0

  /// The largest decode of this image. The pool, a view, or another object retains it, but the future does not.
  var largestDecode: BaseImage? {
    get { Scheduling.read(weakLargestDecode) }
    set { weakLargestDecode = newValue }
  }
  private weak var weakLargestDecode: BaseImage?
  /// The image that observers see; nil if there is none, or if nothing retains it anymore.
  var visible: BaseImage? {
    get { Scheduling.read(knownVisible) }
    set { knownVisible = newValue }
  }
  private weak var knownVisible: BaseImage?

  /// The bindings of the places that show the image, which outlive the future. `bindings` reads them.
  @MainActor var bound: [AnyObject] = []

  private var cold: ColdState?

  init(_ descriptor: Descriptor, isDeferred: Bool) {
    self.descriptor = descriptor
    if isDeferred { demand = .deferred }
  }

  /// State that few readers have at a time. Most futures of a long list are never shown, and their readers do not allocate it.
  fileprivate final class ColdState {
    // Never changed, because each setter creates an object for its own reader first.
    static nonisolated(unsafe) let none = ColdState()

    weak var owner: Owner?
    var failure: FailureMemory.Entry?
    /// The steps at which views need the image whose bytes are requested.
    var needs: Set<DecodeStep> = []
    var waiters: [FutureImage.Waiter] = []
    /// The number of prefetches of the future that have not ended.
    var prefetches = 0
    var decodes: [Decode] = []
    /// The images that wait for a turn of the main actor. They are retained until they are shown, so that an eviction from the pool does
    /// not release them before.
    var arrived: [BaseImage] = []
    /// The size of the images in `arrived`, in bytes, as it is counted in `Work.arrivedBytes`.
    var arrivedBytes = 0
    var observers: FutureImage.Observers?
    var calls: [@MainActor @Sendable () -> Void] = []
    /// The stage that observers saw last; nil if it is the current stage.
    var visibleStage: FutureImage.Stage?
    /// The last image that was returned in another appearance than that of its decode.
    weak var inAppearance: DecodedImage?
    var derivedImages: DerivedImages?
    /// The reader of the image for dark mode, once a view in dark mode has needed it.
    var dark: Reader?
    /// The descriptor of the smaller image, if the reader reads that image instead of its own.
    var smaller: Descriptor?
  }
}

// Getters never allocate `ColdState`. Some setters do not allocate it for the default value.
extension Reader {
  private var coldOrDefault: ColdState { cold ?? .none }

  private var ownCold: ColdState {
    if let cold { return cold }
    let made = ColdState()
    cold = made
    return made
  }

  /// The future; nil once it is gone, or if nothing has watched it yet. `future` reads it. A caller inside the lock must return the object
  /// from the lock, so that it is not deallocated there.
  var owner: Owner? {
    get { Scheduling.read(coldOrDefault.owner) }
    set { ownCold.owner = newValue }
  }

  /// The failure in which the reader's last request ended.
  var failure: FailureMemory.Entry? {
    get { coldOrDefault.failure }
    set { if cold != nil || newValue != nil { ownCold.failure = newValue } }
  }

  var needs: Set<DecodeStep> {
    get { coldOrDefault.needs }
    set { if cold != nil || !newValue.isEmpty { ownCold.needs = newValue } }
  }

  // A fast path, because most futures have no waiters.
  var hasWaiters: Bool { cold?.waiters.isEmpty == false }

  /// Whether a waiter needs the encoded bytes.
  var hasWaitersForBytes: Bool { hasWaiters && waiters.contains(where: \.needsBytes) }

  var waiters: [FutureImage.Waiter] {
    get { coldOrDefault.waiters }
    _modify { yield &ownCold.waiters }
  }

  var prefetches: Int {
    get { coldOrDefault.prefetches }
    set { ownCold.prefetches = newValue }
  }

  /// The decodes that the reader waits for.
  var decodes: [Decode] {
    get { coldOrDefault.decodes }
    set { if cold != nil || !newValue.isEmpty { ownCold.decodes = newValue } }
  }

  var arrived: [BaseImage] {
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

  var inAppearance: DecodedImage? {
    get { Scheduling.read(coldOrDefault.inAppearance) }
    set { ownCold.inAppearance = newValue }
  }

  /// The futures of the same image in other appearances.
  var derivedImages: DerivedImages {
    if let known = coldOrDefault.derivedImages { return known }
    let made = DerivedImages()
    ownCold.derivedImages = made
    return made
  }

  /// The reader of the image for dark mode. Set once, on the main actor.
  var dark: Reader? {
    get { coldOrDefault.dark }
    set { ownCold.dark = newValue }
  }

  /// The descriptor of the smaller image that the reader reads instead of its own; nil if it reads its own.
  var smaller: Descriptor? {
    get { coldOrDefault.smaller }
    set { if cold != nil || newValue != nil { ownCold.smaller = newValue } }
  }
}

extension Reader {
  /// Reads or changes the reader inside the loader's lock. If the body may have the last reference to an object, it must return the object,
  /// so that the object is released outside of the lock. For a change with effects, see ``FutureImage/Loader/change(_:)``.
  @discardableResult func withLock<Result>(_ body: (Reader) -> Result) -> Result {
    descriptor.loader.state.withLock { _ in body(self) }
  }

  /// Registers the reader of a deferred future, and requests its image. Does nothing for any other future.
  func start() { if withLock({ $0.demand == .deferred }) { descriptor.loader.begin(self) } }

  /// The descriptor of the image that the reader reads: its own, or that of a smaller image.
  var current: Descriptor { cold?.smaller ?? descriptor }

  /// Whether the reader has had its own image, and that image has not been deleted since. If the image must be revalidated before it is
  /// shown, it was revalidated before the reader got it. So a view may continue to show it, as a page does with its images: HTML, section
  /// 4.8.4.3.5, "The list of available images".
  var hasHadImage: Bool { fullSize != nil && cold?.smaller == nil }

  /// Whether the reader expects bytes.
  var isPending: Bool { demand == .bytes || demand == .reload }

  /// Whether the reader waits for the picture's fetch.
  var isInFetch: Bool {
    get { picture?.fetch.map { waits(for: $0) } ?? false }
    set { waitsForJoined = newValue }
  }

  /// Whether the picture's fetch revalidates the image for the reader, which does not wait for it.
  var revalidates: Bool {
    get { revalidatesByJoined && picture?.fetch?.number == joined }
    set { revalidatesByJoined = newValue }
  }

  /// Makes the reader one of the fetch's readers. Resets what the reader stores about an earlier fetch. The end of that fetch did not
  /// change its readers, because there may be thousands of them.
  func join(_ fetch: Fetch) { if joined != fetch.number { (joined, waitsForJoined, revalidatesByJoined) = (fetch.number, false, false) } }

  /// Whether the reader waits for the fetch, or waited for it until its end.
  func waits(for fetch: Fetch) -> Bool { waitsForJoined && joined == fetch.number }

  /// Whether the outcome of the fetch, which has ended, is to be delivered to the reader.
  func isDue(from fetch: Fetch) -> Bool { waits(for: fetch) && awaitsNothing }

  /// Whether another image has replaced the one that the reader still has.
  var isOutdated: Bool { picture.map { $0.generation != generation } ?? false }

  /// Whether the reader expects bytes, but no lookup or fetch that could deliver them is under way.
  var awaitsNothing: Bool { isPending && !isInFetch && lookup?.hasEnded ?? true }

  /// Whether the reader belongs to the picture, and the picture still has the image of that generation.
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

  /// The urgency of the reader's jobs.
  var urgency: Rank.Reason {
    if isBound || hasWaiters && waiters.contains(where: { !$0.isPrefetch }) { return .bound }
    return (cold?.prefetches ?? 0) > 0 ? .prefetched : .created
  }

  /// Returns a failure of the reader's source.
  func failure(_ reason: FutureImage.Failure.Reason) -> FutureImage.Failure {
    FutureImage.Failure(reason, key: descriptor.key.text).of(descriptor.source)
  }

  /// Whether the reader has failed, so that only a retry requests its pixels again. While a request for bytes is pending, only a failure to
  /// make pixels counts.
  var hasFailed: Bool { isPending ? pixelsHaveFailed : failure != nil }

  /// The failure in which the last request ended, if it is remembered. The caller checks outside of the lock whether it still applies.
  var remembered: FailureMemory.Entry? {
    guard !isPending, let failure, failure.answers else { return nil }
    return failure
  }

  func variant() -> PixelPool.Variant { current.variant(picture?.generation ?? 0) }

  /// Returns the size of the whole image after its transform.
  /// - Parameter size: the size of the image in pixels.
  func whole(of size: FutureImage.PixelSize) -> FutureImage.PixelSize {
    // A fast path, because thousands of readers may have no transform.
    descriptor.transform == nil ? size : variant().plan(for: size).whole
  }

  /// Returns the pixels that waiters and views need and that are not requested yet, or nothing while the size of the image is unknown. The
  /// smallest pixels are first, because they are decoded soonest, and a view can show them in the meantime.
  /// - Parameter steps: the steps that views need.
  func missingPixels(_ steps: Set<DecodeStep>) -> [PixelPool.Key] {
    guard let fullSize, !steps.isEmpty || hasWaiters else { return [] }
    let steps = steps.union(waiters.compactMap { $0.step(of: fullSize) })
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

  /// A waiter for the image. It is called once, when the image has what the waiter needs or has failed.
  struct Waiter: Sendable {
    /// The need of a waiter, and the closure that gets the result. The closure is called on any thread.
    enum Need: Sendable {
      case pixels(Fitting, deliver: @Sendable (Result<BaseImage, Failure>) -> Void)
      /// The encoded bytes of an image that has bytes.
      case bytes(deliver: @Sendable (Result<Encoded, Failure>) -> Void)
    }

    let need: Need
    /// The future, retained while the waiter waits. The reference cycle ends when the waiter is called.
    let owner: Reader.Owner
    /// The descriptor of the future, whose source a failure names.
    let descriptor: Descriptor?
    let id: ObjectIdentifier?
    /// Whether this is a prefetch, which waits but is less urgent than other waiters.
    var isPrefetch = false

    var needsBytes: Bool { if case .bytes = need { true } else { false } }

    /// Returns the step that the waiter needs of an image of that size; nil if it needs no pixels.
    func step(of fullSize: PixelSize) -> DecodeStep? {
      if case .pixels(let fitting, _) = need { DecodeStep(showing: fullSize, fitting) } else { nil }
    }

    func fail(with failure: Failure) {
      switch need {
      case .pixels(_, let deliver): deliver(.failure(failure))
      case .bytes(let deliver): deliver(.failure(failure))
      }
    }
  }
}
