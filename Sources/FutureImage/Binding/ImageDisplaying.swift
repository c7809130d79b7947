/// An object that shows one image, such as a `UIImageView`, and can be bound to a future.
///
/// To conform, a view of your own needs one property:
///
///     extension AvatarView: ImageDisplaying {
///       var image: UIImage? {
///         get { avatar }
///         set { avatar = newValue }
///       }
///     }
///     avatarView.futureImage = user.photo
///
/// The future references the object weakly. It writes to `image` on the main actor, but only while `image` is still the object that the
/// future put there. Setting another image ends the binding, and no other call is needed.
@MainActor public protocol ImageDisplaying: AnyObject {
  /// The shown image. The getter must return the same object that was set.
  var image: BaseImage? { get set }

  /// The pixels that the image covers now; nil while they are unknown, before layout. In that case, this property is read again when the
  /// bytes arrive.
  var pixelFitting: FutureImage.Fitting? { get }
}

extension ImageDisplaying {
  public var pixelFitting: FutureImage.Fitting? { nil }

  /// The future whose image has yet to appear here. After the view has all the pixels that it needs, this property is nil, although a
  /// future was set.
  ///
  /// After you set a future, its available pixels appear at once, and the rest later. To remove the image, set nil. Reading returns the
  /// future until all the pixels that this view needs have arrived, or until another image replaces its image. After that, reading returns
  /// nil. But if the future's source has an image for dark mode (``FutureImage/Source/inDarkMode(use:)``), reading returns the future as
  /// long as the view shows it. To find out which item a view shows, use the model instead.
  public var futureImage: FutureImage? {
    get { (image as? FutureImage)?.root }
    set {
      if let newValue { newValue.root.bind(.view(self)) } else { display(nil) }
    }
  }

  /// Shows the image, and binds the view if the image is a future. Use this method for options (a transition, a failure image, retry on
  /// tap, a callback), and in code that shows both futures and other images. If such code assigned a future to a plain `image`, the view
  /// would show the future's placeholder forever.
  /// - Parameters:
  ///   - image: the image or the future. For nil, the view shows the presentation's placeholder, or nothing if there is none. So a model
  ///     without an image looks like a model whose image has not arrived. A future without a valid URL fails, and shows the failure image.
  ///   - presentation: the options for a future.
  public func display(_ image: BaseImage?, _ presentation: FutureImage.Presentation? = nil) {
    Place.view(self).display(image, presentation)
  }
}
