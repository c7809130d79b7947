// expect: type 'ContentMode' has no member 'scaleAspectFill'
import FutureImage
import SwiftUI

struct OfContentMode: View {
  let photo: FutureImage
  var body: some View { FutureImageView(photo, contentMode: .scaleAspectFill) }
}
