#if canImport(UIKit) || canImport(UIKitStandIn)
extension FutureImage.Slot where Owner: UIButton {
  /// The image for a state. It is fitted inside the button's bounds.
  ///
  /// The image arrives in the mode `.alwaysOriginal`, because system buttons draw images of `.automatic` mode as templates, which turns a
  /// photo into a solid block of tint. To show a template, derive the future by `photo.withRenderingMode(.alwaysTemplate)`. The mode of a
  /// placeholder does not change.
  public static func image(for state: UIControl.State) -> Self {
    Self(
      "FutureImage, image \(state.rawValue)", get: { $0.image(for: state) }, set: { $0.setImage($1, for: state) },
      renderingMode: .alwaysOriginal, pixelFitting: { button in button.pixelBox.map { .fit($0) } })
  }

  /// The background image for a state. It covers the button's bounds.
  ///
  /// A button with a `configuration` shows no background images that are set for states. For such a button, the slot of `.normal` is
  /// `configuration.background.image`, and images for other states are not shown. Set the configuration before the image.
  public static func backgroundImage(for state: UIControl.State) -> Self {
    Self(
      "FutureImage, background \(state.rawValue)", get: { $0.shownBackgroundImage(for: state) },
      set: { $0.showBackgroundImage($1, for: state) },
      pixelFitting: { button in button.pixelBox.map { .fill($0) } })
  }
}

extension UIButton {
  fileprivate func shownBackgroundImage(for state: State) -> BaseImage? {
    if let configuration, state == .normal { return configuration.background.image }
    return backgroundImage(for: state)
  }

  fileprivate func showBackgroundImage(_ image: BaseImage?, for state: State) {
    if configuration != nil, state == .normal { configuration?.background.image = image } else { setBackgroundImage(image, for: state) }
  }

  /// Shows the image for a state, and binds the button if the image is a future. For nil, the button shows the presentation's placeholder,
  /// or nothing if there is none. To get the future whose image has yet to appear, call ``FutureImage/Slot/futureImage(of:)``.
  public func display(_ image: BaseImage?, for state: UIControl.State, _ presentation: FutureImage.Presentation? = nil) {
    FutureImage.Slot.image(for: state).display(image, in: self, presentation)
  }
}
#endif
