// expect: requires that 'UIImage' conform to 'Transferable'
import PhotosUI
import SwiftUI
func picture(_ item: PhotosPickerItem) async throws -> UIImage? { try await item.loadTransferable(type: UIImage.self) }
