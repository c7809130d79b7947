import SwiftUI

/// The zoom between a tile of the grid and its page. Before iOS 18, and on the Mac, the page slides in instead.
extension View {
  /// Makes this view the source from which the page of the item grows.
  @ViewBuilder func isZoomSource(_ id: Int, in namespace: Namespace.ID) -> some View {
    #if canImport(UIKit)
    if #available(iOS 18, visionOS 2, *) { matchedTransitionSource(id: id, in: namespace) } else { self }
    #else
    self
    #endif
  }

  /// Makes this page grow from the source with the same identifier.
  @ViewBuilder func zooms(from id: Int, in namespace: Namespace.ID) -> some View {
    #if canImport(UIKit)
    if #available(iOS 18, visionOS 2, *) { navigationTransition(.zoom(sourceID: id, in: namespace)) } else { self }
    #else
    self
    #endif
  }
}
