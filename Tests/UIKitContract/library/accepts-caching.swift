// Caches, and futures with transforms, sources, and cache policies.
import FutureImage
import FutureImageCache

extension CacheCoder<UIImage> {
  static var thumbnails: Self {
    Self(encode: { $0.pngData() ?? Data() }) { data in
      guard let image = UIImage(data: data) else { throw FutureImage.Failure(.undecodable("no image")) }
      return image
    }
  }
}
let small = Cache<UIImage>.Variant("small") { $0.preparingThumbnail(of: CGSize(width: 80, height: 60)) ?? $0 }
let faces = Cache(named: "faces", as: .image, variants: [small])
let thumbs = Cache(named: "thumbs", as: .thumbnails)
func face(_ url: URL) async throws -> [UIImage] { [try await faces.value(from: url, as: small), try await thumbs.value(from: url)] }
func sized(_ url: URL, _ photo: UIImage) -> [FutureImage] {
  [
    FutureImage(
      at: url, transform: .resize(to: CGSize(width: 160, height: 120), .fill).then(.roundedCorners(8, [.topLeft, .topRight])).then(.blur(4))
    ),
    FutureImage(
      at: url, cachePolicy: .toDisk(path: "covers/1.jpg"), transform: .crop(toRatio: 1, anchor: CGPoint(x: 0.5, y: 0)).then(.circle)),
    FutureImage(.image(photo, key: "draft"), cachePolicy: .modelOnly), FutureImage(.file(url)),
    FutureImage(.url(url, headers: ["Authorization": "token"]).onAvoidedNetworks(use: .url(url)))
  ]
}
func taken(_ photo: UIImage, _ url: URL) async throws(FutureImage.Failure) {
  try await FutureImage.Loader.shared.set(photo, forKey: FutureImage.Source.url(url).key)
}
