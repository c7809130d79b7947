extension FutureImage {
  /// The living futures of a loader at one time: what each has, and who holds it. For finding out why pictures take memory, why one does not
  /// come, or who still wants it.
  ///
  ///     print(loader.inventory)
  ///
  ///     2 futures: 1 ready, 1 loading. Pixels: 4.3 MB. Pool: 4.3 MB. Encoded: 81 KB.
  ///     phase        whole       decoded     pixels  encoded  held by   key
  ///     ready        1200 × 900  1200 × 900  4.3 MB  81 KB    2 views   https://example.com/a.jpg
  ///     loading 45%  -           -           -       -        1 waiter  https://example.com/b.jpg
  ///
  /// An inventory holds no future and no picture. Those that are made while it is taken may be missing.
  public struct Inventory: Sendable {
    /// The futures, those with the most bytes first; by key where they have as many.
    public let entries: [Entry]
    /// The decoded pixels that live, in bytes. Several futures of one picture count once.
    public let pixelBytes: Int
    /// The encoded bytes that futures hold. Several futures of one picture count once.
    public let encodedBytes: Int
    /// The bytes in the loader's pool of pixels, including pictures whose futures are gone.
    public let poolBytes: Int
  }
}

extension FutureImage.Inventory {
  /// One living future.
  public struct Entry: Sendable {
    /// The key of its picture, without credentials.
    public let key: String
    /// How far it is.
    public let phase: Phase
    /// The whole picture's size in pixels, after its transform; nil until its bytes have come.
    public let wholeSize: FutureImage.PixelSize?
    /// The size in pixels of the largest decode that lives; nil without one.
    public let decodedSize: FutureImage.PixelSize?
    /// The bytes of that decode, with all frames.
    public let pixelBytes: Int
    /// The picture's bytes as they came, where the future holds them.
    public let encodedBytes: Int
    /// Who holds the future or waits for it.
    public let holders: Holders
  }

  /// How far a future is, as ``FutureImage/phase``, without the picture.
  public enum Phase: Sendable, Equatable {
    /// Its bytes are asked for; nothing has come yet.
    case waiting
    /// Its bytes are coming: the share that is here, from 0 to 1, where the length is known.
    case loading(Double?)
    /// Its bytes are here or in a cache, and no pixels.
    case fetched
    /// Pixels are here.
    case ready
    /// It will not come by itself.
    case failed(FutureImage.Failure)
  }

  /// Who holds a future, besides the variables of the app, which nobody can count.
  public struct Holders: Sendable, Hashable {
    /// Views, other places and leases that show the future's picture or are to show it.
    public let views: Int
    /// Tasks and callbacks that wait for its picture.
    public let waiters: Int
    /// Prefetches that hold it.
    public let prefetches: Int
    /// Loops over its phases.
    public let phaseStreams: Int

    /// Whether nobody but the app's own variables holds it.
    public var isModelOnly: Bool { views + waiters + prefetches + phaseStreams == 0 }
  }
}
