// A state with a default value, which the initializer assigns after all other stored properties. The code compiles, but the view shows the
// default value (TN3211).
// stage: SIL
import SwiftUI

struct Counter: View {
  var name: String
  @State private var count = 0
  @State private var total: Int = 0
  @State var shown = 0
  init(name: String, count: Int) {
    self.name = name
    self.count = count
    shown = count
    // TN3211 does not mention this assignment.
    _total = State(initialValue: count)
  }
  var body: some View { Text("\(_count.wrappedValue + count + total)") }
}
