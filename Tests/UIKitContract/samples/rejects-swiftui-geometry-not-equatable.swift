// expect: requires that 'Measured' conform to 'Equatable'
import SwiftUI
struct Measured { var size: CGSize }
struct Cell: View {
  @State private var measured = Measured(size: .zero)
  var body: some View {
    Color.gray.onGeometryChange(for: Measured.self) { Measured(size: $0.size) } action: { measured = $0 }
  }
}
