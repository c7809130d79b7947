import FutureImage
import SwiftUI

/// A bar with the fraction of an image that has arrived. Only this view reads the phase, so progress evaluates no other view's body.
struct LoadingBar: View {
  let photo: FutureImage

  var body: some View {
    if case .loading(let fraction?) = photo.phase {
      ProgressView(value: fraction).padding(14)
    }
  }
}
