// expect: main actor-isolated property 'ratio' can not be referenced from a nonisolated context
import SwiftUI
@Observable @MainActor final class Model { var ratio: CGFloat = 1 }
struct Fitted: Layout {
  let model: Model
  func sizeThatFits(proposal: ProposedViewSize, subviews: Subviews, cache: inout ()) -> CGSize {
    CGSize(width: 100, height: 100 / model.ratio)
  }
  func placeSubviews(in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews, cache: inout ()) {}
}
