import FutureImage
import SwiftUI

/// A bar that shows which fraction of an image has arrived. Only this view reads the phase, so only its body is evaluated when the fraction
/// changes.
struct LoadingBar: View {
  let photo: FutureImage

  var body: some View {
    if case .loading(let fraction?) = photo.phase {
      ProgressView(value: fraction).padding(14)
    }
  }
}
