import Foundation
import FutureImage

/// The demo's photos, and images made from them.
enum Pictures {
  /// The folder of the demo's photos, found relative to this source file.
  static let folder = URL(filePath: #filePath).appending(path: "../../../../../../Demo/Sources/Storefront/Photos").standardizedFileURL

  struct Missing: Error, CustomStringConvertible {
    var description: String { "there are no photos in \(Pictures.folder.path)" }
  }

  /// Returns 39 photos from 31 KB to 1.3 MB. Most of them have 768 × 512 pixels and about 100 KB.
  static func photos() throws -> [URL] {
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    let photos = files.filter { $0.pathExtension == "jpg" && !$0.lastPathComponent.contains("closeup") }
    guard !photos.isEmpty else { throw Missing() }
    return photos.sorted { $0.lastPathComponent < $1.lastPathComponent }
  }

  /// Returns one of the photos as an image of the given size.
  static func picture(width: Int, height: Int, of index: Int = 31) throws -> UIImage {
    let photos = try photos()
    let decoder = FutureImage.Loader.Configuration().decoder
    let data = try Data(contentsOf: photos[index % photos.count])
    return UIImage(cgImage: try decoder.decode(data, size: FutureImage.PixelSize(width: width, height: height)))
  }

  /// Returns a JPEG of about 5 KB. Each index below 39 has a different JPEG.
  static func small(_ index: Int) throws -> Data {
    guard let data = try picture(width: 160, height: 120, of: index).jpegData(compressionQuality: 0.8) else { throw Missing() }
    return data
  }

  /// Fills a folder with the given number of links to the photos, and returns their names.
  static func servePhotos(_ count: Int, in folder: URL) throws -> [String] {
    let photos = try photos()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return try (0..<count).map { index in
      let name = "photo-\(index).jpg"
      try FileManager.default.createSymbolicLink(at: folder.appending(path: name), withDestinationURL: photos[index % photos.count])
      return name
    }
  }

  /// Fills a folder with the given number of small images, which have 39 different contents. Returns their names.
  static func serveSmall(_ count: Int, in folder: URL) throws -> [String] {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let contents = try (0..<39).map(small)
    return try (0..<count).map { index in
      let name = "small-\(index).jpg"
      try contents[index % contents.count].write(to: folder.appending(path: name))
      return name
    }
  }
}
