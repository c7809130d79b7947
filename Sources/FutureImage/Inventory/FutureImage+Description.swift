extension FutureImage {
  /// The name of the image, its phase, and its size in pixels; nil for a future without a source.
  ///
  /// Any thread may read it. It only reads the state under its lock, and fetches nothing.
  var summary: String? {
    let future = root
    // The image and the failure leave the lock with the result, so that neither is released inside.
    let known = future.withReader { ($0.demand == .deferred, $0.visible, $0.visibleStage, $0.fullSize) }
    guard let source = future.descriptor?.source, let (isDeferred, image, stage, fullSize) = known else { return nil }
    let phase = image == nil ? stage.text : "ready"
    let size = (fullSize ?? image?.naturalSize).map { ", \($0) pixels" } ?? ""
    return "FutureImage(\(source), \(isDeferred ? "not requested" : phase)\(size))"
  }
}

extension FutureImage: CustomReflectable {
  /// A mirror without children, because the stored properties contain URLs with their credentials. ``description`` has the rest.
  public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .class, ancestorRepresentation: .suppressed) }
}
