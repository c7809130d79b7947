/// The state of a presentation in a view.
@MainActor final class PresentedState {
  let presentation: FutureImage.Presentation
  let look = PresentedLook()
  var showsFailure = false
  /// Whether the place shows an interim image.
  var showsInterim = false
  /// The image that the place has until a transition of the app changes it, now or later.
  weak var outgoing: UIImage?

  init(_ presentation: FutureImage.Presentation) {
    self.presentation = presentation
  }

  deinit {
    // An `OnMain` retains this object and releases it on the main thread, as does all code that uses it. If a future is released while its
    // image loads, an image of the app has replaced it in the view: nothing is loading there anymore.
    let look = look
    MainActor.assumeIsolated { look.leaveIndicator() }
  }
}
