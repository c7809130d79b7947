extension FutureImage {
  /// The living futures of a loader at one time: what each has loaded, and what holds it. Use it to find out why images take memory, why
  /// one does not load, or what still needs it.
  ///
  ///     print(loader.inventory)
  ///
  ///     2 futures: 1 ready, 1 loading. Pixels: 4.3 MB. Pool: 4.3 MB. Encoded: 81 KB.
  ///     phase        whole       decoded     pixels  encoded  held by   key
  ///     ready        1200 × 900  1200 × 900  4.3 MB  81 KB    2 views   https://example.com/a.jpg
  ///     loading 45%  -           -           -       -        1 waiter  https://example.com/b.jpg
  ///
  /// An inventory retains no future and no image. Futures that are created while it is taken may be missing. A future whose source has an
  /// image for dark mode has an entry for each of the two images that is used.
  public struct Inventory: Sendable {
    /// The futures, in descending order of their bytes; by key if they have the same number.
    public let entries: [Entry]
    /// The living decoded pixels, in bytes. Several futures of one image count once.
    public let pixelBytes: Int
    /// The encoded bytes that are held for futures. Several futures of one image share them, and count once.
    public let encodedBytes: Int
    /// The bytes in the loader's pixel pool, including images whose futures are gone.
    public let poolBytes: Int
  }
}

extension FutureImage.Inventory {
  /// One living future. What holds it is counted, except for the variables of the app.
  public struct Entry: Sendable {
    /// The key of its image, without credentials.
    public let key: String
    /// The phase of its image in a few words: "waiting", "loading", "loading 45%", "fetched", "ready", or "failed: status 404".
    public let phase: String
    /// The size of the whole image in pixels, after its transform; nil until its bytes have arrived.
    public let wholeSize: FutureImage.PixelSize?
    /// The size in pixels of the largest living decode; nil without one.
    public let decodedSize: FutureImage.PixelSize?
    /// The bytes of that decode, including all frames.
    public let pixelBytes: Int
    /// The encoded bytes of its image in memory, which all futures of the image share.
    public let encodedBytes: Int
    /// The number of views, other places, and subscriptions that show the future's image or will show it.
    public let views: Int
    /// The number of tasks and callbacks that wait for its image.
    public let waiters: Int
    /// The number of prefetches that hold it.
    public let prefetches: Int
    /// The number of loops over its phases.
    public let phaseStreams: Int

    /// Whether only the app's own variables hold it.
    public var isModelOnly: Bool { views + waiters + prefetches + phaseStreams == 0 }
  }
}
