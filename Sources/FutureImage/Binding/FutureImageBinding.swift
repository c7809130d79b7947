/// Something that shows one picture, such as a `UIImageView`, and can be bound to a future.
///
/// A view of your own needs the one property:
///
///     extension AvatarView: FutureImageBinding {
///       var image: UIImage? {
///         get { avatar }
///         set { avatar = newValue }
///       }
///     }
///     avatarView.futureImage = user.photo
///
/// The future refers to it weakly and writes to `image` on the main actor, but only while `image` is still the object that the future put
/// there: whoever puts another picture there ends the binding, and need not say so.
@MainActor public protocol FutureImageBinding: AnyObject {
  /// The picture shown. It must give back the very object that was put there.
  var image: UIImage? { get set }

  /// How many pixels the picture covers now; nil while nobody knows, before layout: then it is asked again when the bytes are here.
  var pixelFitting: FutureImage.Fitting? { get }
}

extension FutureImageBinding {
  public var pixelFitting: FutureImage.Fitting? { nil }

  /// The future whose picture is still to appear here: not always what was set, and nil once the view has the whole picture that it needs.
  ///
  /// Set a future, and whatever there is of its picture appears at once, the rest later; set nil to take the picture away. Reading gives
  /// that future until its picture is here in all the pixels that this view needs, or something else was put in its place; then nil. A
  /// future whose source has a dark picture (``FutureImage/Source/inDarkMode(use:)``) is read as long as it is shown. To know which item a
  /// view shows, ask the model.
  public var futureImage: FutureImage? {
    get { (image as? FutureImage)?.root }
    set {
      if let newValue { newValue.root.bind(.view(self)) } else { display(nil) }
    }
  }

  /// Shows any picture, and a future as one. Whoever handles pictures without knowing which of them are futures shows them with this: a
  /// carousel that assigns a future to a plain `image` shows its placeholder for ever.
  public func display(_ picture: UIImage?) {
    if let future = picture as? FutureImage { return future.root.bind(.view(self)) }
    BoundPlaces.shared.take(.view(self))
    image = picture
  }

  /// Shows a future in another way than without words: with a transition, a picture for failures, a retry on tap, a callback. Nil takes the
  /// picture away.
  public func setFutureImage(_ future: FutureImage?, _ presentation: FutureImage.Presentation) {
    if let future { future.root.bind(.view(self), presentation) } else { display(nil) }
  }
}
