#if canImport(UIKitStandIn) && !canImport(UIKit)
extension AppGroup {
  /// False: Linux has no app extensions.
  static var isExtension: Bool { false }

  /// Returns the folder with the group's name among the user's caches, which all programs of the user can use.
  static func cachesDirectory(_ identifier: String) throws(FutureImage.FileFailure) -> URL {
    let bytes = identifier.utf8
    guard let first = bytes.first, first != UInt8(ascii: "."), !bytes.contains(UInt8(ascii: "/")), !bytes.contains(0) else {
      throw FutureImage.FileFailure(.refused("it is not the name of an app group; use one like group.com.example.shop"), path: identifier)
    }
    let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first ?? FileManager.default.temporaryDirectory
    return caches.appendingPathComponent(identifier, isDirectory: true)
  }
}
#endif
