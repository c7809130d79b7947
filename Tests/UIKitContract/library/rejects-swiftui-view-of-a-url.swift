// expect: cannot convert value of type 'URL' to expected argument type 'FutureImage'
import FutureImage
import SwiftUI

struct OfURL: View {
  let url: URL
  var body: some View { FutureImageView(url) }
}
