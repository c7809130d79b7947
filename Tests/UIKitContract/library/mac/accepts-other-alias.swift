// An app that imports a package whose public `UIImage` is the Mac's class.
import AppKit
import FutureImage
import OtherImages

@MainActor final class Header: NSView, ImageDisplaying {
  var image: BaseImage?
  var logo: UIImage = .logo()
}
@MainActor func show(_ photo: FutureImage, in header: Header, _ view: NSImageView) async throws {
  header.futureImage = photo
  header.logo = try await photo.nsImage(fitting: .fit(width: 64, height: 64))
  view.image = header.logo
  view.display(photo, .init(placeholder: BaseImage(header.logo)))
}
