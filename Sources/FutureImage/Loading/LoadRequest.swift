/// One request of a future to its loader. An answer counts only for the request that the future still has, so the object's identity tells a
/// new request from one that was given up.
///
/// A future writes a request down inside its own lock and registers it outside, so another thread may cancel it in between. Registering and
/// canceling both take the loader's lock, and what was canceled first is never registered.
final class LoadRequest: Hashable, @unchecked Sendable {
  // Sendable: `isCanceled` is guarded by the lock of the loader, `steps` by that of the future. The rest never changes, and weak references
  // are read atomically.

  /// The need of the future.
  enum Need {
    case bytes
    /// Pixels of one variant, at one step.
    case pixels(PixelPool.Key)
  }

  let need: Need
  private weak var knownFuture: FutureImage?
  /// Whether the future has given it up. Guarded by the loader's lock.
  var isCanceled = false
  /// The steps for which the bytes are needed, as far as the picture's size is known. They are decoded as soon as the bytes are here; views
  /// need not be measured again for it. Guarded by the future's lock.
  var steps: Set<Step>

  init(_ need: Need, of future: FutureImage, for steps: Set<Step> = []) {
    self.need = need
    self.steps = steps
    knownFuture = future
  }

  /// Nil once the future is gone. Inside a lock, the caller returns it: a future must not die there.
  var future: FutureImage? { Scheduling.read(knownFuture) }

  /// The pixels that are requested; nil for bytes.
  var pixels: PixelPool.Key? {
    if case .pixels(let key) = need { key } else { nil }
  }

  static func == (one: LoadRequest, other: LoadRequest) -> Bool { one === other }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A request whose future lives.
struct LiveRequest {
  let future: FutureImage
  let request: LoadRequest
}

extension Sequence<LoadRequest> {
  /// Those whose futures live. They leave the lock with the caller.
  var living: [LiveRequest] {
    compactMap { request in request.future.map { LiveRequest(future: $0, request: request) } }
  }
}

/// The answer to a request.
enum Answer {
  /// The transfer is so far; the end is still to come.
  case progress(Double?)
  /// The picture's bytes.
  case bytes(Encoded)
  /// The bytes of a smaller picture, in place of the one that the network is to be spared.
  case substitute(Encoded)
  /// The source says that the picture which a cache has is still valid.
  case confirmation(Encoded)
  case image(UIImage)
  case failure(Refusals.Refusal)
  /// The bytes of a disk tier gave no pixels. The source may have better ones.
  case undecodable
  /// No cache has the bytes, and the source is not to be asked.
  case notCached
}
