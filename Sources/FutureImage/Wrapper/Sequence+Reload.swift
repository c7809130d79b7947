extension Sequence {
  /// Reloads the images at the key path that are in use, and returns when each source has responded. Use it for a feed that people pull to
  /// refresh.
  ///
  ///     let failures = await products.reload(\.photo)
  ///     refreshControl.endRefreshing()
  ///
  /// An image is in use if a future of its key was used, in any model, or if a view or the pool has pixels of it. Other images are not
  /// requested. In all other respects, this method is like the reload of a collection of futures.
  ///
  /// The models may have been decoded again. Views that show the images of former models get the new images, too. This works even if the
  /// former models no longer exist, and even if equal rows are not bound again, as with a diffable data source.
  /// - Parameter path: the key path from an element to a future, or to an optional, an array, or a dictionary of futures.
  /// - Returns: the failures, in the order of the elements.
  @discardableResult public nonisolated(nonsending) func reload<Value: FutureImage.FutureContainer>(
    _ path: KeyPath<Element, Value>
  ) async -> [FutureImage.Failure] {
    let futures = FutureImage.LazyFuture.makingOnlyUsed { flatMap { Value._conversion.futures($0[keyPath: path]) } }
    return await futures.filter { $0.root.isInUse }.reload().compactMap(\.self)
  }
}
