/// A slot without its owner's type, as bindings store it.
@MainActor final class AnySlot {
  let name: AnyHashable
  /// The rendering mode of images that have none of their own.
  let renderingMode: UIImage.RenderingMode
  let get: @MainActor (AnyObject) -> UIImage?
  let set: @MainActor (AnyObject, UIImage?) -> Void
  let pixelFitting: @MainActor (AnyObject) -> FutureImage.Fitting?

  init(
    name: AnyHashable, renderingMode: UIImage.RenderingMode = .automatic, get: @escaping @MainActor (AnyObject) -> UIImage?,
    set: @escaping @MainActor (AnyObject, UIImage?) -> Void,
    pixelFitting: @escaping @MainActor (AnyObject) -> FutureImage.Fitting?
  ) {
    self.name = name
    self.renderingMode = renderingMode
    self.get = get
    self.set = set
    self.pixelFitting = pixelFitting
  }
}
