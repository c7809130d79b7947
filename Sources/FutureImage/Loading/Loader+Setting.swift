extension FutureImage.Loader {
  /// Sets the image of a key, in place of the one before: for example a photo just taken, before the server has it.
  ///
  ///     try await loader.set(photo, forKey: FutureImage.Source.url(user.avatarURL).key)
  ///
  /// All futures of the key have the image when this returns. Views show it as soon as it is decoded for them, and the old image until
  /// then. A transfer of the key under way ends, and its waiters get this image. The image is stored as PNG in the disk tiers of the
  /// futures and in the loader's disk cache, and stays until it is reloaded. With neither a future nor a disk cache, nothing retains it.
  ///
  /// The key is a source's ``FutureImage/FutureImage/Source/key``.
  ///
  /// Any thread may call it. If two calls set the same key at the same time, their notifications may arrive in either order.
  /// - Throws: `.unreadable` if the image has no pixels, or the reason why the loader's decoder rejects it.
  public func set(_ image: UIImage, forKey key: String) async throws(FutureImage.Failure) {
    let encoded: Encoded
    do {
      encoded = try await decoding.run { [decoder = configuration.decoder] in
        guard let data = uprightPNG(of: image) else {
          throw FutureImage.Failure(.unreadable("it has no pixels; set an image that has some"))
        }
        return Encoded(data: data, size: try decoder.size(of: data), isFromDisk: false)
      }
    } catch {
      throw FutureImage.Failure(decoding: error).of(key)
    }
    put(encoded, SourceKey(key))
  }

  private func put(_ encoded: Encoded, _ key: SourceKey) {
    var encoded = encoded
    change { state -> (answered: [Waiters<LoadRequest>], turn: UInt64?) in
      let fetched = state.endTransfer(key)
      let (generation, read) = state.replace(key, in: pool)
      encoded.revision = generation
      state.pictures.change(key) { $0.isOfApp = true }
      state.refusals.remove(key)
      state.note(nil, key)
      let tiers = [configuration.diskCache].compactMap { $0 } + state.tiers(of: key)
      encoded.isStored = stage(FutureImage.CacheEntry(body: encoded.data), of: encoded, for: tiers, at: key, &state)
      return ([fetched] + read, state.beginTelling(of: encoded, key))
    } telling: { answered, _ in
      pool.remove(source: key)
      let answered = Set(answered.joined())
      forEachFuture(of: key) { $0.replace(by: encoded, answering: answered) }
    } then: { state, result in
      state.endTelling(key, result.turn)
      state.pictures.endMemoryChange(key)
    }
  }
}
