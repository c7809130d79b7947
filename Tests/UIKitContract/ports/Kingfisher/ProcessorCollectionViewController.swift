import FutureImage

private let red = SIMD3<Float>(255, 0, 0)

/// A grid whose images are processed by the transform that the user chooses in a menu.
final class ProcessorCollectionViewController: UICollectionViewController {
  private let choices: [(name: String, transform: FutureImage.Transform?)] = [
    ("Default", nil),
    ("Resizing", .resize(to: CGSize(width: 50, height: 50))),
    ("Round Corner", .roundedCorners(20)),
    ("Round Corner Partial", .roundedCorners(10_000, [.topLeft, .bottomRight])),
    ("Border", .border(8, .systemBlue)),
    ("Round Border", .border(12, .systemBlue.withAlphaComponent(0.7), radius: 40)),
    ("Blend", .colors("lighten by red") { pointwiseMax($0, red) }),
    ("Blur", .blur(5)),
    ("Overlay", .colors("half red") { ($0 + red) / 2 }),
    ("Tint", .colors("half red") { ($0 + red) / 2 }),
    ("Vibrancy", .colorControls(contrast: 1.1, saturation: 1.1).then(.exposure(1))),
    ("B&W", .colorControls(saturation: 0).then(.exposure(0.7))),
    ("Cropping", .crop(CGRect(x: 0, y: 0, width: 100, height: 100))),
    ("Downsampling", .resize(to: CGSize(width: 25, height: 25))),
    ("Blur + Round Corner", .blur(5).then(.roundedCorners(20)))
  ]

  private var transform: FutureImage.Transform? {
    didSet { collectionView.reloadData() }
  }

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "Processor"
    setUpActions(choices.map { choice in UIAction(title: choice.name) { [weak self] _ in self?.transform = choice.transform } })
  }

  override func collectionView(_ view: UICollectionView, numberOfItemsInSection section: Int) -> Int { Samples.loading.count }

  override func collectionView(_ view: UICollectionView, cellForItemAt path: IndexPath) -> UICollectionViewCell {
    let cell = view.dequeueReusableCell(withReuseIdentifier: "ProcessorCell", for: path)
    let photo = FutureImage(at: Samples.loading[path.item], transform: transform)
    (cell as? PhotoCell)?.imageView.display(photo, .init { phase in if phase.isFinal { print(phase) } })
    return cell
  }
}

extension FutureImage.Transform {
  /// Makes an image twice as bright for each stop.
  fileprivate static func exposure(_ stops: Float) -> Self { .colors("exposure of \(stops)") { $0 * exp2(stops) } }

  /// Changes the color of each pixel. Each channel is from 0 to 255.
  fileprivate static func colors(_ name: String, _ change: @escaping @Sendable (SIMD3<Float>) -> SIMD3<Float>) -> Self {
    .custom(name) { image in
      guard let bitmap = image.cgImage, let space = CGColorSpace(name: CGColorSpace.sRGB) else { return image }
      let (width, height) = (bitmap.width, bitmap.height)
      guard
        let context = CGContext(
          data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: width * 4, space: space,
          bitmapInfo: CGImageAlphaInfo.noneSkipLast.rawValue)
      else { return image }
      context.draw(bitmap, in: CGRect(x: 0, y: 0, width: width, height: height))
      guard let data = context.data else { return image }
      let bytes = UnsafeMutableRawBufferPointer(start: data, count: width * height * 4)
      for start in stride(from: 0, to: bytes.count, by: 4) {
        let color = change(SIMD3(Float(bytes[start]), Float(bytes[start + 1]), Float(bytes[start + 2])))
        for channel in 0..<3 { bytes[start + channel] = UInt8(min(max(color[channel], 0), 255)) }
      }
      return context.makeImage().map { UIImage(cgImage: $0, scale: image.scale, orientation: .up) } ?? image
    }
  }
}
