extension FutureImage.Loader {
  /// Makes an image the picture of a key, in place of what was there: a photo just taken, say, before the server has it.
  ///
  ///     try await loader.set(photo, forKey: FutureImage.Source.url(user.avatarURL).key)
  ///
  /// All futures of the key have it when this returns; views show it as soon as it is decoded for them, and the old one until then. A
  /// transfer of the key under way ends, and who waits for it gets this. It is kept as PNG where the futures keep their pictures and in the
  /// loader's disk cache, and stays until somebody reloads it. With neither a future nor a disk cache nothing keeps it.
  ///
  /// The key is a source's ``FutureImage/FutureImage/Source/key``.
  ///
  /// Any thread may call it. What is set while the same key is being set may be told of before or after.
  /// - Throws: `.unreadable` if the image has no pixels, or why the loader's decoder refuses it.
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
      state.refusals.remove(key)
      state.note(nil, key)
      let tiers = [configuration.diskCache].compactMap { $0 } + state.tiers(of: key)
      encoded.isStored = stage(FutureImage.CacheEntry(body: encoded.data), encoded, for: tiers, key, &state)
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
