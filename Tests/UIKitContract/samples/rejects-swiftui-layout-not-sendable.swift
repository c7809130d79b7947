// expect: stored property 'memory' of 'Sendable'-conforming struct 'Fitted' has non-Sendable type 'Memory'
import SwiftUI
final class Memory { var size = CGSize.zero }
struct Fitted: Layout {
  let memory: Memory
  func sizeThatFits(proposal: ProposedViewSize, subviews: Subviews, cache: inout ()) -> CGSize { memory.size }
  func placeSubviews(in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews, cache: inout ()) {}
}
