// expect: 'async' property access in a function that does not support concurrency
import FutureImage
import SwiftUI

struct OfValue: View {
  let photo: FutureImage
  var body: some View { Image(uiImage: try await photo.value) }
}
