// library/check compiles this file twice: with @State as a property wrapper, and with @State as a macro.
import FutureImage
import SwiftUI

struct Photo: UIViewRepresentable {
  let photo: FutureImage?
  func makeUIView(context: Context) -> UIImageView { UIImageView() }
  func updateUIView(_ view: UIImageView, context: Context) { view.futureImage = photo }
}
struct Viewer: View {
  let photos: [FutureImage]
  @State private var shown: FutureImage?
  @State private var failure: String?
  @State private var first: FutureImage
  init?(_ photos: [FutureImage]) {
    guard let first = photos.first else { return nil }
    self.photos = photos
    self.first = first
  }
  var body: some View {
    Photo(photo: shown ?? first)
      .onTapGesture { shown = photos.last }
      .overlay { if let failure { Text(failure) } }
      .task(id: shown?.url) {
        do { first = try await UIImageView().next(photos) ?? first } catch { failure = error.localizedDescription }
      }
  }
}
extension UIImageView {
  fileprivate func next(_ photos: [FutureImage]) async throws -> FutureImage? {
    for photo in photos { _ = try await photo.value }
    return photos.last
  }
}
