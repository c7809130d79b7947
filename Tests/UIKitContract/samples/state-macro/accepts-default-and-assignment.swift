// A default, and an assignment after all other stored properties. It compiles, but the view shows the default (TN3211).
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
    // Of this, TN3211 says nothing.
    _total = State(initialValue: count)
  }
  var body: some View { Text("\(_count.wrappedValue + count + total)") }
}
