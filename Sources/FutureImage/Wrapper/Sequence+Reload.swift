extension Sequence {
  /// Reloads the images at the key path that are in use, and returns when each source has answered: for a feed that people pull to refresh.
  ///
  ///     let failures = await products.reload(\.photo)
  ///     refreshControl.endRefreshing()
  ///
  /// An image is in use if a future of its key was, whichever model has it, or if a view or the pool has pixels of it. For
  /// other images, nothing is requested. Apart from that, this is the reload of a collection of futures.
  ///
  /// The models may have been decoded again. But a view follows the future that it was bound to, which is released with its model: if the
  /// former models are gone and the equal rows are not bound again, as by a diffable data source, their views keep the former images. Then
  /// reload the former models instead, or bind the visible rows again after the reload, for example with `reconfigureItems`.
  /// - Parameter path: the key path from an element to a future, an optional, an array, or a dictionary of futures.
  /// - Returns: the failures, in the order of the elements.
  @discardableResult public nonisolated(nonsending) func reload<Value: FutureImage.Shape>(
    _ path: KeyPath<Element, Value>
  ) async -> [FutureImage.Failure] {
    let futures = FutureImage.Lazy.makingOnlyUsed { flatMap { Value._conversion.futures($0[keyPath: path]) } }
    return await futures.filter { $0.root.isInUse }.reload().compactMap(\.self)
  }
}
