// expect: generic parameter 'Content' could not be inferred
import SwiftUI
struct Photo<Content: View>: View {
  enum Phase { case empty, success(Image) }
  @ViewBuilder let content: (Phase) -> Content
  var body: some View { content(.empty) }
}
struct Row: View {
  var body: some View { Photo { if case .success(let image) = $0 { image.resizable() } } }
}
