// expect: has no member 'resizable'
import SwiftUI
import WidgetKit
struct Poster: View {
  let image: UIImage
  var body: some View { Image(uiImage: image).widgetAccentedRenderingMode(.fullColor).resizable() }
}
