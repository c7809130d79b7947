/// An object that shows one image, such as a `UIImageView`, and can be bound to a future.
///
/// A view of your own needs one property:
///
///     extension AvatarView: ImageDisplaying {
///       var image: UIImage? {
///         get { avatar }
///         set { avatar = newValue }
///       }
///     }
///     avatarView.futureImage = user.photo
///
/// The future holds the object weakly and writes to `image` on the main actor, but only while `image` is still the object that the future
/// put there. Setting another image ends the binding; no other call is needed.
@MainActor public protocol ImageDisplaying: AnyObject {
  /// The shown image. The getter must return the very object that was set.
  var image: UIImage? { get set }

  /// The pixels that the image covers now; nil while unknown, before layout. It is then read again when the bytes arrive.
  var pixelFitting: FutureImage.Fitting? { get }
}

extension ImageDisplaying {
  public var pixelFitting: FutureImage.Fitting? { nil }

  /// The future whose image is still to appear here; not always the one that was set, and nil once the view has the whole image it needs.
  ///
  /// Set a future, and its available pixels appear at once, the rest later; set nil to remove the image. Reading returns that future until
  /// all pixels that this view needs have arrived, or something else was put in its place; then nil. A future whose source has a dark image
  /// (``FutureImage/Source/inDarkMode(use:)``) is returned as long as it is shown. To find out which item a view shows, ask the model.
  public var futureImage: FutureImage? {
    get { (image as? FutureImage)?.root }
    set {
      if let newValue { newValue.root.bind(.view(self)) } else { display(nil) }
    }
  }

  /// Shows any image, and binds the view if the image is a future. Use it for options (a transition, a failure
  /// image, retry on tap, a callback), and in code that handles images without knowing which of them are futures: a carousel that assigns a
  /// future to a plain `image` shows its placeholder forever.
  /// - Parameters:
  ///   - picture: the image or the future. For nil, the view shows the presentation's placeholder, or nothing without one: a model that
  ///     has no image looks like one whose image has not arrived. A future whose URL is none fails, and shows the failure image.
  ///   - presentation: the options for a future.
  public func display(_ picture: UIImage?, _ presentation: FutureImage.Presentation? = nil) {
    Place.view(self).display(picture, presentation)
  }
}
