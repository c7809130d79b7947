extension FutureImage.Slot where Owner: UIButton {
  /// The image for a state. It is fitted inside the button's bounds.
  ///
  /// It arrives in the mode `.alwaysOriginal`, because system buttons draw images of `.automatic` mode as templates: a photo would be a
  /// solid block of tint. For a template, derive the future: `photo.withRenderingMode(.alwaysTemplate)`. A placeholder keeps its own mode.
  public static func image(for state: UIControl.State) -> Self {
    Self(
      "FutureImage, image \(state.rawValue)", get: { $0.image(for: state) }, set: { $0.setImage($1, for: state) },
      renderingMode: .alwaysOriginal, pixelFitting: { button in button.pixelBox.map { .fit($0) } })
  }

  /// The background image for a state. It covers the button's bounds.
  ///
  /// A button with a `configuration` shows no background images that are set for states. For `.normal`, the slot is then the
  /// configuration's own `configuration.background.image`; images for other states are not shown. Set the configuration before the image.
  public static func backgroundImage(for state: UIControl.State) -> Self {
    Self(
      "FutureImage, background \(state.rawValue)", get: { $0.shownBackgroundImage(for: state) },
      set: { $0.showBackgroundImage($1, for: state) },
      pixelFitting: { button in button.pixelBox.map { .fill($0) } })
  }
}

extension UIButton {
  fileprivate func shownBackgroundImage(for state: State) -> UIImage? {
    if let configuration, state == .normal { return configuration.background.image }
    return backgroundImage(for: state)
  }

  fileprivate func showBackgroundImage(_ image: UIImage?, for state: State) {
    if configuration != nil, state == .normal { configuration?.background.image = image } else { setBackgroundImage(image, for: state) }
  }

  /// Shows any image for a state, and binds a future; for nil, the presentation's placeholder, or nothing without one. For the future that
  /// is still to appear there, see ``FutureImage/Slot/futureImage(of:)``.
  public func display(_ picture: UIImage?, for state: UIControl.State, _ presentation: FutureImage.Presentation? = nil) {
    FutureImage.Slot.image(for: state).display(picture, in: self, presentation)
  }

  /// Shows any image as the background for a state, and binds a future, as ``display(_:for:_:)`` does. On a button with a `configuration`,
  /// only `.normal` is shown: see ``FutureImage/Slot/backgroundImage(for:)``.
  public func displayBackground(_ picture: UIImage?, for state: UIControl.State, _ presentation: FutureImage.Presentation? = nil) {
    FutureImage.Slot.backgroundImage(for: state).display(picture, in: self, presentation)
  }
}
