extension FutureImage {
  /// The futures of a loader at one time. This value retains no future and no image.
  struct Inventory: Sendable {
    /// The futures, in descending order of their bytes. Futures with the same number of bytes are in the order of their keys.
    let entries: [Entry]
    /// The number of bytes of the largest decode of each future. A decode counts once, even if several futures share it.
    let pixelBytes: Int
    /// The number of encoded bytes that are retained for futures. The bytes of one image count once, even if several futures share them.
    let encodedBytes: Int
    /// The bytes in the loader's pixel pool, including images whose futures are gone.
    let poolBytes: Int
  }
}

extension FutureImage.Inventory {
  /// One future, with the numbers of the objects that use it. The variables of the app do not count.
  struct Entry: Sendable {
    /// The key of the future's image, without credentials.
    let key: String
    /// The phase of the future's image in a few words: "waiting", "loading", "loading 45%", "fetched", "ready", or "failed: status 404".
    let phase: String
    /// The size of the whole image in pixels, after its transform; nil until the bytes have arrived.
    let wholeSize: FutureImage.PixelSize?
    /// The size in pixels of the largest decode in memory; nil if there is no decode.
    let decodedSize: FutureImage.PixelSize?
    /// The bytes of the largest decode in memory, including all frames.
    let pixelBytes: Int
    /// The encoded bytes of the future's image in memory, which all futures of the image share.
    let encodedBytes: Int
    /// The number of views, other places, and subscriptions that show the future's image or will show it.
    let views: Int
    /// The number of tasks and callbacks that wait for the future's image.
    let waiters: Int
    /// The number of prefetches of the future.
    let prefetches: Int
    /// The number of loops over the future's phases.
    let phaseStreams: Int

    /// Whether only the app's own variables retain the future.
    var isModelOnly: Bool { views + waiters + prefetches + phaseStreams == 0 }
  }
}
