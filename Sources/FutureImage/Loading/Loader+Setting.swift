/// Images that the app sets.
extension FutureImage.Loader {
  /// One call that set the image of a key.
  final class Setting: @unchecked Sendable {
    // Sendable: the variables are guarded by the loader's lock.
    fileprivate let key: SourceKey
    /// The image before the call; nil if ``FutureImage/Loader/known(_:)`` did not find its bytes.
    fileprivate let former: FutureImage.CacheEntry?
    /// The call that set the former image, if it can still be undone.
    fileprivate var predecessor: Setting?
    /// The generation of the image that was set.
    fileprivate var generation: UInt32 = 0
    fileprivate var isUndone = false

    fileprivate init(_ key: SourceKey, former: FutureImage.CacheEntry?) {
      self.key = key
      self.former = former
    }

    /// The call whose former image is restored when this call is undone. If calls directly before this call are already undone, it is the
    /// earliest of them. Otherwise, it is this call.
    fileprivate var firstUndone: Setting {
      var first = self
      while let predecessor = first.predecessor, predecessor.isUndone { first = predecessor }
      return first
    }
  }

  /// Sets the image of a key, in place of the current one. For example, show a photo that was just taken, before the server has it.
  ///
  ///     let undo = try await loader.set(photo, forKey: user.avatar.key)
  ///     do {
  ///       try await upload(photo)
  ///     } catch {
  ///       await undo()
  ///       throw error
  ///     }
  ///
  /// All futures of the key have the image when this method returns. Views show the old image until the new one is decoded for them. A
  /// transfer of the key that is under way ends, and its waiters get this image. The image is stored in the disk tiers of the futures and
  /// in the loader's disk cache. An opaque image of more than a million pixels is stored as JPEG of quality 0.9, any other image as PNG. To
  /// store a photo without this conversion, set its data. If a write fails, `onEvent` gets a `.cacheFault`. With neither a future nor a
  /// disk cache, nothing retains the image.
  ///
  /// The image stays until the source has a newer image. For the given time, no request is made unless the image is reloaded. After that,
  /// the image is revalidated like every stale image. The request has the `ETag` and `Last-Modified` of the former image, if the loader's
  /// disk cache had them. So if the server still has the former image, it responds that nothing has changed, and the image that the app set
  /// stays.
  ///
  /// The key is a future's ``FutureImage/FutureImage/key`` or a source's ``FutureImage/FutureImage/Source/key``. Any thread may call this
  /// method. If two calls set the same key at the same time, their notifications may arrive in either order.
  /// - Parameters:
  ///   - image: the image, which may have any orientation.
  ///   - key: the key of a future or a source.
  ///   - lifetime: the time for which the image is fresh.
  /// - Returns: a closure that restores the former image. Call it, for example, if the upload of the new image has failed. The former image
  ///   may be one that the app had set. If the key has received another image since, the closure changes nothing that is shown. If the call
  ///   that set that other image is undone as well, both calls are undone. If there was no former image, or its bytes were not retained,
  ///   the image is requested from the source again, and views show their placeholder until the source has an image. The closure retains
  ///   the former image's encoded bytes. Any thread may call it.
  /// - Throws: `.unreadable` if the image has no pixels, `.refused` if the key names no image or the loader's disk cache cannot store so
  ///   many bytes, or the reason why the loader's decoder rejects the image. In these cases, nothing has changed.
  @discardableResult public func set(
    _ image: BaseImage, forKey key: String, freshFor lifetime: Duration = .seconds(60)
  ) async throws(FutureImage.Failure) -> @Sendable () async -> Void {
    try await set(key, lifetime) {
      try requireNoFuture(image)
      let isPhoto = image.cgImage.map { $0.width * $0.height > Self.largestPNG && isOpaque($0) } ?? false
      guard let data = isPhoto ? image.jpegData(compressionQuality: 0.9) : uprightPNG(of: image) else {
        throw FutureImage.Failure(.unreadable("it has no pixels; set an image with pixels"))
      }
      return data
    }
  }

  /// Sets the image of a key from its encoded bytes, such as a photo from the camera or the photo library. In all other respects, this
  /// method is like ``set(_:forKey:freshFor:)-(BaseImage,_,_)``.
  /// - Parameters:
  ///   - data: the bytes, in a format that the loader's decoder reads.
  ///   - key: the key of a future or a source.
  ///   - lifetime: the time for which the image is fresh.
  /// - Returns: a closure that restores the former image.
  /// - Throws: the same failures as that method.
  @discardableResult public func set(
    _ data: Data, forKey key: String, freshFor lifetime: Duration = .seconds(60)
  ) async throws(FutureImage.Failure) -> @Sendable () async -> Void {
    try await set(key, lifetime) { data }
  }

  /// Restores the image that the key had before the call of `set`, unless the key has received another image since.
  private func undo(_ setting: Setting) async {
    let undone = state.withLock { state -> Setting? in
      setting.isUndone = true
      let generation = state.pictures[setting.key]?.generation ?? 0
      return generation == setting.generation ? setting.firstUndone : nil
    }
    guard let undone else { return }
    let size: FutureImage.PixelSize? =
      if let former = undone.former {
        try? await decoding.run { [decoder = configuration.decoder] in try decoder.size(of: former.body) }
      } else {
        nil
      }
    if let former = undone.former, let size {
      put(former, size, undone.key, undone.predecessor, insteadOf: setting)
    } else {
      for reader in forget(setting) ?? [] { reload(reader) }
    }
  }

  /// The number of pixels above which an opaque image is stored as JPEG. PNGs of photos are many times as large, and take seconds to make.
  private static let largestPNG = 1_000_000

  private func set(
    _ key: String, _ lifetime: Duration, _ encode: @escaping @Sendable () throws -> Data
  ) async throws(FutureImage.Failure) -> @Sendable () async -> Void {
    guard !key.isEmpty, !FutureImage.Source.namesNoImage(key) else {
      throw FutureImage.Failure(.refused("the key names no image; use the key of a future that has a source"))
    }
    let encoded: Encoded
    do {
      encoded = try await decoding.run { [decoder = configuration.decoder] in
        let data = try encode()
        return Encoded(data: data, size: try decoder.size(of: data), isFromDisk: false)
      }
    } catch {
      throw FutureImage.Failure(decoding: error).of(key)
    }
    if let limit = configuration.diskCache?.largestEntry, encoded.data.count > limit {
      let why = "it has \(encoded.data.count) bytes, and the disk cache stores at most \(limit) of one image; set a smaller image, or "
      throw FutureImage.Failure(.refused(why + "raise the cache's maxBytes"), key: key)
    }
    let key = SourceKey(key)
    let former = await known(key)
    let now = configuration.now()
    let entry = FutureImage.CacheEntry(
      body: encoded.data, eTag: former?.eTag, lastModified: former?.lastModified, receivedAt: now,
      freshUntil: now + max(0, lifetime.seconds))
    let setting = Setting(key, former: former)
    put(entry, encoded.size, key, setting)
    return { [self] in await undo(setting) }
  }

  /// Returns the first of these that exists: the entry of the key that waits to be written, the entry of the loader's disk cache, the bytes
  /// of the picture. Tiers of the app are not read, because they may take any amount of time.
  private func known(_ key: SourceKey) async -> FutureImage.CacheEntry? {
    if let staged = state.withLock({ $0.pictures[key]?.staged?.entry }) { return staged }
    if let diskCache = configuration.diskCache, let entry = await entryToConfirm(key, diskCache) { return entry }
    let data = state.withLock { $0.pictures[key]?.encoded?.data }
    return data.map { FutureImage.CacheEntry(body: $0) }
  }

  /// Makes the entry the image of the key, and delivers it to all readers.
  /// - Parameters:
  ///   - setting: the call by which the app has set the image; nil for an image of the source.
  ///   - undone: the call that must have set the current image; nil if any image may be current.
  private func put(
    _ entry: FutureImage.CacheEntry, _ size: FutureImage.PixelSize, _ key: SourceKey, _ setting: Setting?, insteadOf undone: Setting? = nil
  ) {
    let now = configuration.now()
    change { state in
      let picture = state.pictures.picture(key)
      if let undone, picture.generation != undone.generation { return state.pictures.dropIfUnused(picture) }
      if let known = picture.notes.setting {
        if undone == nil, known.generation == picture.generation { setting?.predecessor = known }
        state.departed.add(object: known)
      }
      replaceImage(of: picture, &state)
      setting?.generation = picture.generation
      picture.notes.isOfApp = setting != nil
      picture.notes.setting = setting
      picture.forgetFailures(&state.departed)
      picture.note(entry.validity)
      var encoded = Encoded(data: entry.body, size: size, isFromDisk: false)
      encoded.isOfApp = true
      let tiers = allTiers(of: picture)
      let settled = settle(encoded, entry, in: picture, tiers, &state)
      deliver((settled, nil), in: picture, at: now, &state) { $0.isOutdated }
      if picture.readers.isEmpty, picture.staged == nil { state.bytes.release(picture, &state.departed) }
      state.pictures.dropIfUnused(picture)
    }
  }

  /// Removes an image, which the app has set, from the tiers, the futures, and the views. The views show their placeholder again. Does
  /// nothing if another image has replaced the image.
  /// - Returns: the readers that lack an image now; nil if another image has replaced it.
  private func forget(_ setting: Setting) -> [Reader]? {
    change { state -> [Reader]? in
      guard let picture = state.pictures[setting.key], picture.generation == setting.generation else { return nil }
      removeImage(of: picture, &state) { [self] reader, isRequested, state in
        if !isRequested { endRequest(reader, &state) }
        setFailure(nil, of: reader, &state)
        commit(reader, &state)
        let revision = reader.revision
        guard reader.isBound else { return }
        let owner = reader.owner
        state.effects.later { loader in loader.deliver { reader.showPlaceholder(of: owner, at: revision) } }
      }
      // A follower requests nothing.
      return picture.readers.filter { !$0.isFollower }
    }
  }
}
