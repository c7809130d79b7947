// expect: missing argument label 'uiImage:' in call
import FutureImage
import SwiftUI

struct OfImage: View {
  let photo: FutureImage
  var body: some View { Image(photo).resizable() }
}
