// expect: 'self' used before all stored properties are initialized
// stage: SIL
import SwiftUI
struct Counter: View {
  var name: String
  @State private var count = 0
  init(name: String) {
    count = 42
    self.name = name
  }
  var body: some View { Text("\(name): \(count)") }
}
