/// One request of a future to its loader. An answer counts only for the request that the future still has. The object's identity
/// distinguishes a new request from a canceled one.
///
/// A future records a request inside its own lock and registers it outside, so another thread may cancel it in between. Registering and
/// canceling both acquire the loader's lock, and a request that was canceled first is never registered.
final class LoadRequest: Hashable, @unchecked Sendable {
  // Sendable: the loader's lock guards `isCanceled`, and the future's lock guards `steps` and `pixelsHaveFailed`. The rest never changes, and
  // weak references are read atomically.

  /// The data that the future needs.
  enum Need {
    case bytes
    /// Bytes in place of those of a disk tier that could not be decoded. Bytes that other futures have from a tier are no better: two
    /// futures that take them from each other, or one that takes them again, would never finish.
    case betterBytes
    /// Pixels of one variant, at one step.
    case pixels(PixelPool.Key)
  }

  let need: Need
  private weak var knownFuture: FutureImage?
  /// Whether the future has canceled it. Guarded by the loader's lock.
  var isCanceled = false
  /// The steps for which the bytes are needed, if the image's size is known. They are decoded as soon as the bytes arrive, and views need
  /// not be measured again. Guarded by the future's lock.
  var steps: Set<Step>
  /// Whether pixels of the present image could not be made while this request is under way. Its answer decides whether to try again. Guarded
  /// by the future's lock.
  var pixelsHaveFailed = false

  init(_ need: Need, of future: FutureImage, for steps: Set<Step> = []) {
    self.need = need
    self.steps = steps
    knownFuture = future
  }

  /// The future; nil once it has been released. Inside a lock, the caller returns it: a future must not be deallocated there.
  var future: FutureImage? { Scheduling.read(knownFuture) }

  /// The requested pixels; nil for bytes.
  var pixels: PixelPool.Key? {
    if case .pixels(let key) = need { key } else { nil }
  }

  /// Whether these bytes, which are in memory, may be the answer.
  func isServed(by bytes: Encoded) -> Bool {
    if case .betterBytes = need { !bytes.isFromDisk } else { true }
  }

  static func == (one: LoadRequest, other: LoadRequest) -> Bool { one === other }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A request whose future is alive.
struct LiveRequest {
  let future: FutureImage
  let request: LoadRequest
}

extension Sequence<LoadRequest> {
  /// The requests whose futures are alive. They leave the lock with the caller.
  var living: [LiveRequest] {
    compactMap { request in request.future.map { LiveRequest(future: $0, request: request) } }
  }
}

/// The answer to a request.
enum Answer {
  /// The answer follows.
  case later
  /// The progress of a transfer that has not ended.
  case progress(Double?)
  /// The bytes of the image.
  case bytes(Encoded)
  /// The bytes of a smaller image, in place of one that is not loaded over this network.
  case substitute(Encoded)
  /// The source has confirmed that the cached image is still valid.
  case confirmation(Encoded)
  case image(UIImage)
  case failure(Refusals.Refusal)
  /// An earlier permanent failure of the source. Whether it still holds is checked outside of the loader's lock.
  case refusal(Refusals.Refusal, number: UInt64)
  /// The bytes of a disk tier cannot be decoded. The source may have better ones.
  case undecodable
  /// No cache has the bytes, and the source must not be asked.
  case notCached
}
