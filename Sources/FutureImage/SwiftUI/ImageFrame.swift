#if canImport(SwiftUI)
import SwiftUI

/// The layout of a ``FutureImageView``. It reports the size itself, because SwiftUI lays out rows before they appear, and
/// `onGeometryChange` may not report the sizes of such rows.
struct ImageFrame: Layout {
  let space: ReservedSpace
  /// Called with the size, and with whether the size is a guess.
  let report: @Sendable (CGSize, Bool) -> Void

  func sizeThatFits(proposal: ProposedViewSize, subviews: Subviews, cache: inout Void) -> CGSize {
    space.size(width: proposal.width, height: proposal.height)
  }

  func placeSubviews(in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews, cache: inout Void) {
    report(bounds.size, space.isGuess(width: proposal.width, height: proposal.height))
    for subview in subviews { subview.place(at: bounds.origin, proposal: ProposedViewSize(bounds.size)) }
  }
}
#endif
