// Images from the photo library and the camera.
// stage: SIL (skipped by `check --quick`, which stops before this stage of the compiler)
import PhotosUI
import SwiftUI
import UIKit
import UniformTypeIdentifiers

final class Album: UIViewController, PHPickerViewControllerDelegate {
  private let imageView = UIImageView()
  func pick() {
    var configuration = PHPickerConfiguration(photoLibrary: .shared())
    configuration.filter = .any(of: [.images, .not(.screenshots)])
    configuration.selectionLimit = 0
    configuration.selection = .ordered
    configuration.preferredAssetRepresentationMode = .current
    let picker = PHPickerViewController(configuration: configuration)
    picker.delegate = self
    present(picker, animated: true)
  }
  func picker(_ picker: PHPickerViewController, didFinishPicking results: [PHPickerResult]) {
    picker.dismiss(animated: true)
    guard let provider = results.first?.itemProvider else { return }
    if provider.canLoadObject(ofClass: UIImage.self) {
      provider.loadObject(ofClass: UIImage.self) { object, error in
        let image = object as? UIImage
        Task { @MainActor in self.imageView.image = image }
      }
    }
    provider.loadDataRepresentation(forTypeIdentifier: UTType.image.identifier) { data, _ in print(data?.count ?? 0) }
    _ = provider.loadDataRepresentation(for: .image) { [weak self] data, error in
      guard let data, let image = UIImage(data: data) else { return print(error?.localizedDescription ?? "") }
      DispatchQueue.main.async { self?.imageView.image = image }
    }
    Task {
      for result in results { imageView.image = try await Self.image(result.itemProvider) }
      print(results.compactMap(\.assetIdentifier))
    }
  }
  // Awaits an image that is loaded by a closure.
  private static func image(_ provider: NSItemProvider) async throws -> UIImage? {
    let data: Data = try await withCheckedThrowingContinuation { continuation in
      provider.loadDataRepresentation(forTypeIdentifier: UTType.image.identifier) { data, error in
        continuation.resume(with: data.map { .success($0) } ?? .failure(error ?? CocoaError(.fileReadUnknown)))
      }
    }
    return await UIImage(data: data)?.byPreparingForDisplay()
  }
}
final class Camera: UIViewController, UIImagePickerControllerDelegate, UINavigationControllerDelegate {
  private let imageView = UIImageView()
  func shoot() {
    guard UIImagePickerController.isSourceTypeAvailable(.camera) else { return }
    let picker = UIImagePickerController()
    picker.sourceType = .camera
    picker.mediaTypes = [UTType.image.identifier]
    picker.allowsEditing = true
    picker.delegate = self
    present(picker, animated: true)
  }
  func imagePickerController(_ picker: UIImagePickerController, didFinishPickingMediaWithInfo info: [UIImagePickerController.InfoKey: Any]) {
    imageView.image = info[.editedImage] as? UIImage ?? info[.originalImage] as? UIImage
    print(info[.imageURL] as? URL ?? "none", info[.cropRect] as? CGRect ?? .zero)
    picker.dismiss(animated: true)
  }
  func imagePickerControllerDidCancel(_ picker: UIImagePickerController) { picker.dismiss(animated: true) }
}
struct Picked: Transferable {
  let image: UIImage
  static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(importedContentType: .image) { data in
      guard let image = UIImage(data: data) else { throw CocoaError(.fileReadCorruptFile) }
      return Picked(image: image)
    }
  }
}
struct Chooser: View {
  @State private var item: PhotosPickerItem?
  @State private var items: [PhotosPickerItem] = []
  @State private var picked: Picked?
  @State private var image: Image?
  var body: some View {
    PhotosPicker("One", selection: $item, matching: .images)
    PhotosPicker(selection: $items, maxSelectionCount: 3, matching: .any(of: [.images, .livePhotos])) { Label("Some", systemImage: "photo") }
      .onChange(of: item) { _, item in
        Task {
          picked = try await item?.loadTransferable(type: Picked.self)
          image = try await item?.loadTransferable(type: Image.self)
          if let data = try await item?.loadTransferable(type: Data.self) { print(data.count) }
        }
      }
    if let picked { Image(uiImage: picked.image).resizable() } else { image }
  }
}
