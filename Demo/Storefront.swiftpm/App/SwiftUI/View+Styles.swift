import SwiftUI

/// Styles that the Mac lacks. On the Mac, the views have their usual style.
extension View {
  /// Shows the title of a page in the bar, in small type.
  func inlineNavigationTitle() -> some View {
    #if canImport(UIKit)
    navigationBarTitleDisplayMode(.inline)
    #else
    self
    #endif
  }

  /// Shows the sections of a list as rounded groups.
  func insetGroupedList() -> some View {
    #if canImport(UIKit)
    listStyle(.insetGrouped)
    #else
    self
    #endif
  }
}
