extension FutureImage.Slot where Owner: UIButton {
  /// The image of a state. As a picture it covers at most the button's bounds.
  public static func image(for state: UIControl.State) -> Self {
    Self(
      "image \(state.rawValue)", get: { $0.image(for: state) }, set: { $0.setImage($1, for: state) },
      pixelFitting: { button in button.pixelBox.map { .fit($0) } })
  }

  /// The background image of a state. It covers the button's bounds.
  public static func backgroundImage(for state: UIControl.State) -> Self {
    Self(
      "background \(state.rawValue)", get: { $0.backgroundImage(for: state) }, set: { $0.setBackgroundImage($1, for: state) },
      pixelFitting: { button in button.pixelBox.map { .fill($0) } })
  }
}

extension UIButton {
  /// Shows a future as the image of a state; nil takes the image away.
  public func setFutureImage(_ future: FutureImage?, for state: UIControl.State, _ presentation: FutureImage.Presentation? = nil) {
    FutureImage.Slot.image(for: state).display(future, in: self, presentation)
  }

  /// The future that is to appear for the state; nil once its picture is there, or something else was put in its place.
  public func futureImage(for state: UIControl.State) -> FutureImage? { FutureImage.Slot.image(for: state).futureImage(of: self) }

  /// Shows a future as the background image of a state; nil takes the image away.
  public func setFutureBackgroundImage(_ future: FutureImage?, for state: UIControl.State, _ presentation: FutureImage.Presentation? = nil)
  {
    FutureImage.Slot.backgroundImage(for: state).display(future, in: self, presentation)
  }

  /// The future that is to appear in the background of the state; nil once its picture is there, or something else was put in its place.
  public func futureBackgroundImage(for state: UIControl.State) -> FutureImage? {
    FutureImage.Slot.backgroundImage(for: state).futureImage(of: self)
  }
}
