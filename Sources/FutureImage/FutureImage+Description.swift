extension FutureImage {
  /// The name of the picture, how far it is, and its size in pixels; nil for a future without a source.
  ///
  /// Only reads the state under its lock: nothing is fetched, and any thread may ask.
  var summary: String? {
    let future = root
    guard let source = future.descriptor?.source else { return nil }
    // The image and the failure leave the lock with what is returned: none is released inside.
    let (isDeferred, image, stage, natural) = future.state.withLock { state in
      (state.wish == .deferred, state.visible, state.visibleStage, state.natural)
    }
    let phase = image == nil ? Inventory.Phase(stage) : .ready
    let size = (natural ?? image?.naturalSize).map { ", \($0) pixels" } ?? ""
    return "FutureImage(\(source.name), \(isDeferred ? "not requested" : phase.text)\(size))"
  }
}

extension FutureImage: CustomReflectable {
  /// A mirror without children: the stored properties contain URLs with their credentials. ``description`` has the rest.
  public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .class, ancestorRepresentation: .suppressed) }
}
