// expect: invalid redeclaration of synthesized property '_count'
import SwiftUI
@propertyWrapper struct Clamped { var wrappedValue: Int }
struct Counter: View {
  @State @Clamped private var count = 0
  var body: some View { EmptyView() }
}
