extension FutureImage.Loader {
  /// The image that another one replaced under its key, for ``restore(_:)``. Retains its encoded bytes.
  public struct Replaced: Sendable {
    fileprivate let setting: Setting
  }

  /// One call that set the image of a key.
  final class Setting: @unchecked Sendable {
    // Sendable: the variables are guarded by the loader's lock.
    fileprivate let key: SourceKey
    /// The image before; nil if no tier and no future had its bytes.
    fileprivate let former: FutureImage.CacheEntry?
    /// The call that set that image, if it can still be undone.
    fileprivate var predecessor: Setting?
    /// The generation of the image that was set.
    fileprivate var generation: UInt32 = 0
    fileprivate var isUndone = false

    fileprivate init(_ key: SourceKey, former: FutureImage.CacheEntry?) {
      self.key = key
      self.former = former
    }

    /// The call whose former image comes back with this one: the first of those before it that are undone already.
    fileprivate var firstUndone: Setting {
      var first = self
      while let predecessor = first.predecessor, predecessor.isUndone { first = predecessor }
      return first
    }
  }

  /// Sets the image of a key, in place of the one before: for example a photo just taken, before the server has it.
  ///
  ///     let replaced = try await loader.set(photo, forKey: user.avatar.key)
  ///     do {
  ///       try await upload(photo)
  ///     } catch {
  ///       await loader.restore(replaced)
  ///       throw error
  ///     }
  ///
  /// All futures of the key have the image when this returns. Views show it as soon as it is decoded for them, and the old image until
  /// then. A transfer of the key under way ends, and its waiters get this image. It is stored in the disk tiers of the futures and in the
  /// loader's disk cache: an opaque image of more than a million pixels as JPEG of quality 0.9, any other as PNG. To store a photo as it
  /// is, set its data. If a write fails, `onEvent` gets a `.cacheFault`. With neither a future nor a disk cache, nothing retains the image.
  ///
  /// The image lasts until the source has a newer one. For the given time, no request is made unless the image is reloaded. After that,
  /// it is revalidated like every stale image: with the `ETag` and `Last-Modified` that the loader's disk cache had of the image before it,
  /// so that a server that still has that one does not bring it back.
  ///
  /// The key is a future's ``FutureImage/FutureImage/key`` or a source's ``FutureImage/FutureImage/Source/key``. Any thread may call this.
  /// If two calls set the same key at the same time, their notifications may arrive in either order.
  /// - Parameters:
  ///   - image: the image, which may have any orientation.
  ///   - key: the key of an image, of a future or a source.
  ///   - lifetime: the time for which the image is fresh.
  /// - Returns: the image before it, with which this can be undone. If the app had set that as well, it is the app's.
  /// - Throws: `.unreadable` if the image has no pixels, `.refused` if the key names no image or the loader's disk cache cannot store so many
  ///   bytes, or the reason why the loader's decoder rejects the image. In these cases, nothing has changed.
  @discardableResult public func set(
    _ image: UIImage, forKey key: String, freshFor lifetime: Duration = .seconds(60)
  ) async throws(FutureImage.Failure) -> Replaced {
    try await set(key, lifetime) {
      try requireNoFuture(image)
      let isPhoto = image.cgImage.map { $0.width * $0.height > Self.largestPNG && isOpaque($0) } ?? false
      guard let data = isPhoto ? image.jpegData(compressionQuality: 0.9) : uprightPNG(of: image) else {
        throw FutureImage.Failure(.unreadable("it has no pixels; set an image that has some"))
      }
      return data
    }
  }

  /// Sets the image of a key from its encoded bytes, such as a photo as the camera or the photo library made it. Otherwise, this is
  /// ``set(_:forKey:freshFor:)-(UIImage,_,_)``.
  /// - Parameters:
  ///   - data: the bytes, in a format that the loader's decoder reads.
  ///   - key: the key of an image, of a future or a source.
  ///   - lifetime: the time for which the image is fresh.
  /// - Returns: the image before it, with which this can be undone.
  /// - Throws: the same failures.
  @discardableResult public func set(
    _ data: Data, forKey key: String, freshFor lifetime: Duration = .seconds(60)
  ) async throws(FutureImage.Failure) -> Replaced {
    try await set(key, lifetime) { data }
  }

  /// Brings back the image that was set before, for example because the upload of its successor has failed. If the key has got another
  /// image since, this changes nothing that is shown; if that one is restored as well, both are undone. If there was no image, or its bytes
  /// were not retained, views show their placeholder until the source, which is asked again, has an image. Any thread may call this.
  public func restore(_ replaced: Replaced) async {
    let undone = state.withLock { state -> Setting? in
      replaced.setting.isUndone = true
      return state.pictures.generation(of: replaced.setting.key) == replaced.setting.generation ? replaced.setting.firstUndone : nil
    }
    guard let undone else { return }
    let size: FutureImage.PixelSize? =
      if let former = undone.former {
        try? await decoding.run { [decoder = configuration.decoder] in try decoder.size(of: former.body) }
      } else {
        nil
      }
    if let former = undone.former, let size {
      put(former, size, undone.key, undone.predecessor, insteadOf: replaced.setting)
    } else if forget(replaced.setting) {
      forEachFuture(of: undone.key) { $0.reload(nil) }
    }
  }

  /// The size in pixels from which an opaque image is stored as JPEG. PNGs of photos are many times as large, and take seconds to make.
  private static let largestPNG = 1_000_000

  private func set(
    _ key: String, _ lifetime: Duration, _ encode: @escaping @Sendable () throws -> Data
  ) async throws(FutureImage.Failure) -> Replaced {
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
      throw FutureImage.Failure(.refused(why + "raise the cache's maxBytes"), source: key)
    }
    let key = SourceKey(key)
    let former = await known(key)
    let now = configuration.now()
    let entry = FutureImage.CacheEntry(
      body: encoded.data, eTag: former?.eTag, lastModified: former?.lastModified, receivedAt: now,
      freshUntil: now + max(0, lifetime.seconds))
    let setting = Setting(key, former: former)
    put(entry, encoded.size, key, setting)
    return Replaced(setting: setting)
  }

  /// Returns the image of the key as it waits to be written, or as the loader's disk cache or a future has it. Tiers of the app are not
  /// asked, because they may take as long as they like.
  private func known(_ key: SourceKey) async -> FutureImage.CacheEntry? {
    let (staged, current) = state.withLock { state in
      let picture = state.pictures[key]
      return (picture?.stagedBytes.flatMap { _ in picture?.staged?.entry }, state.pictures.generation(of: key))
    }
    if let staged { return staged }
    if let diskCache = configuration.diskCache, let entry = await entryToConfirm(key, diskCache) { return entry }
    var data: Data?
    forEachFuture(of: key) { future in
      data = data ?? future.state.withLock { $0.revision == current && !$0.isSubstitute ? $0.encoded?.data : nil }
    }
    return data.map { FutureImage.CacheEntry(body: $0) }
  }

  /// - Parameters:
  ///   - setting: the call by which the app has set the image; nil for an image of the source.
  ///   - undone: the call that must have set the current image; nil for any image.
  private func put(
    _ entry: FutureImage.CacheEntry, _ size: FutureImage.PixelSize, _ key: SourceKey, _ setting: Setting?, insteadOf undone: Setting? = nil
  ) {
    var encoded = Encoded(data: entry.body, size: size, isFromDisk: false)
    change { state -> (answered: [Waiters<LoadRequest>], turn: UInt64?)? in
      let current = state.pictures.generation(of: key)
      if let undone, current != undone.generation { return nil }
      if let known = state.pictures[key]?.setting {
        if undone == nil, known.generation == current { setting?.predecessor = known }
        state.departed.add(object: known)
      }
      let fetched = state.endTransfer(key)
      let (generation, read) = state.replace(key, in: pool)
      encoded.revision = generation
      setting?.generation = generation
      state.pictures.change(key) { picture in
        picture.isOfApp = setting != nil
        picture.setting = setting
      }
      state.refusals.remove(key)
      state.note(entry.validity, key)
      let tiers = state.allTiers(of: key, besides: configuration.diskCache)
      encoded.isStored = stage(entry, of: encoded, for: tiers, at: key, &state)
      return ([fetched] + read, state.beginTelling(of: encoded, key))
    } telling: { result in
      guard let result else { return }
      pool.remove(source: key)
      let answered = Set(result.answered.joined())
      forEachFuture(of: key) { $0.replace(by: encoded, answering: answered) }
    } then: { state, result in
      guard let result else { return }
      state.endTelling(key, result.turn)
      state.pictures.endMemoryChange(key)
    }
  }

  /// Removes an image that was set from the tiers, the futures, and the views, unless there is another one by now.
  private func forget(_ setting: Setting) -> Bool {
    let key = setting.key
    var isForgotten = false
    change { state -> (answered: [Waiters<LoadRequest>], generation: UInt32)? in
      guard state.pictures.generation(of: key) == setting.generation else { return nil }
      let fetched = state.endTransfer(key)
      let (generation, read) = state.replace(key, in: pool)
      state.note(nil, key)
      state.withdrawStaged(key, by: self)
      state.pictures.changeIfKnown(key) { $0.isOfApp = false }
      let tiers = state.allTiers(of: key, besides: configuration.diskCache)
      remove(key, from: tiers, &state)
      return ([fetched] + read, generation)
    } telling: { result in
      guard let result else { return }
      pool.remove(source: key, before: result.generation)
      let answered = Set(result.answered.joined())
      forEachFuture(of: key) { $0.withdraw(for: result.generation, answering: answered) }
      isForgotten = true
    } then: { state, result in
      if result != nil { state.pictures.endMemoryChange(key) }
    }
    return isForgotten
  }
}

extension FutureImage {
  /// Takes an image that should not have been set out of the future and its views, which show their placeholder again.
  /// - Parameters:
  ///   - revision: the generation that counts from now on, of which there is no image.
  ///   - answered: the requests that end.
  fileprivate func withdraw(for revision: UInt32, answering answered: Set<LoadRequest>) {
    guard let descriptor else { return }
    let effects = withImages { $0.withdraw(for: revision, answering: answered) }
    guard let effects else { return }
    descriptor.policy.memory?.remove(forKey: descriptor.key.text)
    perform(effects)
    Scheduling.onMain { MainActor.assumeIsolated { self.showPlaceholder(at: revision) } }
  }
}

extension FutureImage.State {
  /// - Returns: nil if the future has a newer image already.
  fileprivate mutating func withdraw(for revision: UInt32, answering answered: Set<LoadRequest>) -> FutureImage.Effects? {
    revalidation = nil
    if let request = wish.request, answered.contains(request) { wish = .none }
    guard self.revision < revision else { return nil }
    leavePicture(for: revision)
    size = .unknown
    encoded = nil
    stage = .waiting
    return FutureImage.Effects(mustCommit: mustCommit())
  }
}

extension FutureImage.Loader.State {
  /// The disk tiers that have the image, or get it: those of its futures, and the loader's.
  fileprivate mutating func allTiers(of key: SourceKey, besides diskCache: FutureImage.DiskCache?) -> [any FutureImage.DiskTier] {
    [diskCache].compactMap(\.self) + tiers(of: key)
  }
}
