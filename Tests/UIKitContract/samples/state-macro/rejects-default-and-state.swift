// expect: 'self' used before all stored properties are initialized
// stage: SIL
import SwiftUI
struct Counter: View {
  @State private var count: Int = 0
  let name: String
  init(name: String) {
    _count = State(initialValue: 42)
    self.name = name
  }
  var body: some View { Text("\(name): \(count)") }
}
