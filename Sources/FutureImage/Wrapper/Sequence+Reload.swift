extension Sequence {
  /// Reloads the images at the key path that were used before, and returns when each source has answered: for a feed that people pull to
  /// refresh.
  ///
  ///     let failures = await products.reload(\.photo)
  ///     refreshControl.endRefreshing()
  ///
  /// Of a wrapped property that nobody has read, and of an element that nobody has used, there is no image to reload, and nothing is
  /// requested. Apart from that, this is the reload of a collection of futures.
  /// - Parameter path: the key path from an element to a future, an optional, an array, or a dictionary of futures.
  /// - Returns: the failures, in the order of the elements.
  @discardableResult public nonisolated(nonsending) func reload<Value: FutureImage.Shape>(
    _ path: KeyPath<Element, Value>
  ) async -> [FutureImage.Failure] {
    let futures = FutureImage.Lazy.withoutMaking { flatMap { Value._conversion.futures($0[keyPath: path]) } }
    return await futures.filter { !$0.root.isUnused }.reload().compactMap(\.self)
  }
}
