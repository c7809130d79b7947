// expect: switch must be exhaustive
import FutureImage
import SwiftUI

struct OfPhase: View {
  let photo: FutureImage
  var body: some View {
    FutureImageView(photo) { phase in
      switch phase {
      case .ready(let image): image.resizable()
      case .loading: ProgressView()
      }
    }
  }
}
