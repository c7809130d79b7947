/// What a presentation has done to a view so far.
@MainActor final class PresentedState {
  let presentation: FutureImage.Presentation
  let look = PresentedLook()
  var showsFailure = false
  /// What is there is what has come of the picture.
  var showsInterim = false

  init(_ presentation: FutureImage.Presentation) {
    self.presentation = presentation
  }

  /// From now on taps on the view mean a retry.
  func takeTaps(of view: UIView?, _ retry: @escaping @MainActor () -> Void) {
    if let view, presentation.retriesOnTap { look.takeTaps(of: view, retry) }
  }
}
