// Copy and paste.
// stage: SIL (skipped by `check --quick`, which stops before this stage of the compiler)
import UIKit
import UniformTypeIdentifiers

final class Photo: UIImageView {
  override var canBecomeFirstResponder: Bool { true }
  func copyPicture(_ data: Data) {
    UIPasteboard.general.image = image
    UIPasteboard.general.setItems([[UTType.png.identifier: data]], options: [.localOnly: true, .expirationDate: Date.now + 60])
    UIPasteboard.general.setItems([[UTType.jpeg.identifier: data]])
    UIPasteboard.general.setData(data, forPasteboardType: UTType.heic.identifier)
    if let image { UIPasteboard.general.itemProviders = [NSItemProvider(object: image)] }
    if let image { UIPasteboard.general.setObjects([image]) }
  }
  func pastePicture() {
    guard UIPasteboard.general.hasImages else { return }
    image = UIPasteboard.general.image ?? UIPasteboard.general.images?.first
    for provider in UIPasteboard.general.itemProviders where provider.hasItemConformingToTypeIdentifier(UTType.image.identifier) {
      provider.loadObject(ofClass: UIImage.self) { object, _ in
        let image = object as? UIImage
        Task { @MainActor in self.image = image }
      }
    }
  }
}
// Pasteboards are not isolated to the main actor, and are Sendable.
nonisolated func paste() async -> Data? {
  let board = UIPasteboard.general
  return await Task.detached { board.data(forPasteboardType: UTType.png.identifier) }.value
}
func changes() -> NotificationCenter.Notifications { NotificationCenter.default.notifications(named: UIPasteboard.changedNotification) }
