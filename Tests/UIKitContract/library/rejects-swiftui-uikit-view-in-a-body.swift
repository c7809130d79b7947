// expect: requires that 'UIImageView' conform to 'View'
import FutureImage
import SwiftUI

struct OfView: View {
  let photo: FutureImage
  var body: some View {
    let view = UIImageView()
    view.futureImage = photo
    return view
  }
}
