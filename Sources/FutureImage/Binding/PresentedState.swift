/// What a presentation has done to a view so far.
@MainActor final class PresentedState {
  let presentation: FutureImage.Presentation
  let look = PresentedLook()
  var showsFailure = false
  /// What is there is what has come of the picture.
  var showsInterim = false
  /// The image that the place has until a transition of the app's changes it, now or later.
  weak var outgoing: UIImage?

  init(_ presentation: FutureImage.Presentation) {
    self.presentation = presentation
  }

  deinit {
    // An `OnMain` holds it, which releases it on the main thread, as all do that use it. A future that goes while its picture loads was
    // replaced in the view by an image of the app's: nothing is loading there any more.
    let look = look
    MainActor.assumeIsolated { look.leaveIndicator() }
  }

  /// From now on taps on the view mean a retry.
  func takeTaps(of view: UIView?, _ retry: @escaping @MainActor () -> Void) {
    if let view, presentation.retriesOnTap { look.takeTaps(of: view, retry) }
  }
}
