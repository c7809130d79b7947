#if canImport(SwiftUI)
import SwiftUI

/// The state of an image in a ``FutureImageView``.
public enum FutureImagePhase {
  /// The image is loading, or there is no future. The value is the future's own placeholder, if it has one.
  case loading(placeholder: Image?)
  /// The best pixels so far, which may at first be fewer than the view shows.
  case ready(Image)
  /// The image will not load by itself. A tap requests it again.
  case failed(FutureImage.Failure)

  init(_ content: ShownImage.Content) {
    if let image = content.image {
      self = .ready(Image(showing: image))
    } else if let failure = content.failure {
      self = .failed(failure)
    } else {
      self = .loading(placeholder: content.placeholder.map { Image(showing: $0) })
    }
  }
}
#endif
