#if canImport(SwiftUI)
import SwiftUI

extension Image {
  /// Creates a view of an image of the platform.
  init(showing image: BaseImage) {
    #if canImport(UIKit)
    self.init(uiImage: image)
    #else
    self.init(nsImage: image.nsImage)
    #endif
  }
}
#endif
