extension FutureImage {
  /// The name of the image, its phase, and its size in pixels; nil for a future without a source.
  ///
  /// Any thread may read this property. Reading it acquires the loader's lock for a moment, and fetches nothing.
  var summary: String? {
    let future = root
    // The image and the failure are parts of the result, so that neither is released inside the lock.
    let known = future.withReader { ($0.demand == .deferred, $0.visible, $0.visibleStage, $0.fullSize) }
    guard let source = future.descriptor?.source, let (isDeferred, image, stage, fullSize) = known else { return nil }
    let phase = image == nil ? stage.text : "ready"
    let size = (fullSize ?? image?.naturalSize).map { ", \($0) pixels" } ?? ""
    return "FutureImage(\(source), \(isDeferred ? "not requested" : phase)\(size))"
  }
}

extension FutureImage: _Opaque {}
