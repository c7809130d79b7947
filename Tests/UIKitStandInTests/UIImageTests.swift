import Foundation
import Glibc
import Testing
import UIKitStandIn

/// A subclass that has only what UIKit permits for its image class: convenience initializers, and properties with default values.
final class Subclass: UIImage, @unchecked Sendable {
  var note = ""
  var base: UIImage?

  convenience init(note: String) {
    self.init()
    self.note = note
  }

  convenience init(base: UIImage, cgImage: CGImage) {
    self.init(cgImage: cgImage, scale: base.scale, orientation: base.imageOrientation)
    self.base = base
  }

  override var size: CGSize { base == nil ? CGSize(width: 7, height: 7) : super.size }
  override var scale: CGFloat { super.scale }
  override var imageOrientation: Orientation { super.imageOrientation }
  override var cgImage: CGImage? { super.cgImage }
  override var images: [UIImage]? { super.images }
  override var duration: TimeInterval { super.duration }
  override class var supportsSecureCoding: Bool { super.supportsSecureCoding }
}

@Suite("UIImage", .tags(.threads), .timeLimit(.minutes(5)))
struct UIImageTests {
  private func bitmap() throws -> CGImage {
    try #require(CGImage.noise(6, 4, opaque: false))
  }

  @Test func `an empty image has size zero, scale 1, and no bitmap`() {
    let image = UIImage()
    #expect(image.size == .zero && image.scale == 1 && image.imageOrientation == .up)
    #expect(image.cgImage == nil && image.images == nil && image.duration == 0)
    #expect(image.pngData() == nil && image.jpegData(compressionQuality: 1) == nil)
  }

  @Test(arguments: 0...7)
  func `the size is the size in pixels divided by the scale, with swapped sides after a quarter turn`(raw: Int) throws {
    let orientation = try #require(UIImage.Orientation(rawValue: raw))
    let image = try UIImage(cgImage: bitmap(), scale: 2, orientation: orientation)
    let quarterTurns: Set<UIImage.Orientation> = [.left, .right, .leftMirrored, .rightMirrored]
    #expect(image.size == (quarterTurns.contains(orientation) ? CGSize(width: 2, height: 3) : CGSize(width: 3, height: 2)))
    #expect(image.scale == 2 && image.imageOrientation == orientation)
  }

  @Test func `the bitmap of an image is the object that was passed to the initializer`() throws {
    let bitmap = try bitmap()
    #expect(UIImage(cgImage: bitmap).cgImage === bitmap)
    #expect(UIImage(cgImage: bitmap, scale: 0, orientation: .up).scale == 1)
  }

  @Test func `an image that is made from a file's bytes has the stored bitmap and the file's orientation`() throws {
    let image = try #require(UIImage(data: Fixture.data("exif/Landscape_6.jpg"), scale: 2))
    #expect(image.imageOrientation == .right && image.size == CGSize(width: 48, height: 32))
    #expect(image.cgImage?.width == 64 && image.cgImage?.height == 96)
    #expect(try #require(UIImage(data: Fixture.data("jpeg/gray.jpg"))).size == CGSize(width: 97, height: 65))
  }

  @Test func `invalid data gives no image, and half a file gives an image with the rows that it contains`() throws {
    #expect(UIImage(data: Data()) == nil)
    #expect(UIImage(data: Data("garbage".utf8)) == nil)
    #expect(UIImage(data: Data("garbage".utf8), scale: 2) == nil)
    let whole = try Fixture.data("beginnings/plain.png")
    let half = try #require(UIImage(data: whole.prefix(whole.count / 2)))
    #expect(half.cgImage?.pixel(0, 0).w == 255 && half.cgImage.map { $0.pixel(0, $0.height - 1).w } == 0)
    #expect(UIImage(contentsOfFile: "/no/such/file.png") == nil)
  }

  @Test func `encoded images are upright`() throws {
    let bitmap = try bitmap()
    let image = UIImage(cgImage: bitmap, scale: 2, orientation: .right)
    let png = try ImageCodecs.decode(#require(image.pngData()))
    #expect(try png.hasSamePixels(as: #require(bitmap.turned(.right))))
    let jpeg = try ImageCodecs.info(of: #require(image.jpegData(compressionQuality: 0.8)))
    #expect(jpeg.format == .jpeg && jpeg.size == PixelSize(width: 4, height: 6) && jpeg.orientation == .up)
  }

  @Test func `images are equal only if they have the same bitmap object and the same attributes`() throws {
    let bitmap = try bitmap()
    let image = UIImage(cgImage: bitmap, scale: 2, orientation: .left)
    let twin = UIImage(cgImage: bitmap, scale: 2, orientation: .left)
    #expect(image == twin && image.hash == twin.hash)
    #expect(image != UIImage(cgImage: bitmap, scale: 1, orientation: .left))
    #expect(image != UIImage(cgImage: bitmap, scale: 2, orientation: .right))
    #expect(try image != UIImage(cgImage: #require(CGImage(width: 6, height: 4, rgba: bitmap.bytes)), scale: 2, orientation: .left))
    let copy = try #require(equalBitmap(bitmap))
    #expect(image != UIImage(cgImage: copy, scale: 2, orientation: .left))
    #expect(image != image.withRenderingMode(.alwaysTemplate) && image != image.withTintColor(.red))
    #expect(image != image.withConfiguration(UIImage.Configuration(traitCollection: UITraitCollection(userInterfaceStyle: .dark))))
    #expect(image != UIImage() && UIImage() == UIImage() && UIImage().hash == UIImage().hash)
    #expect(!image.isEqual(NSString("image")) && !image.isEqual(nil))
  }

  private func equalBitmap(_ bitmap: CGImage) -> CGImage? { bitmap.colorSpace.flatMap { bitmap.copy(colorSpace: $0) } }

  @Test
  func `copy(colorSpace:) returns a new object that shares the pixels, and copy() returns the same object`() throws {
    let bitmap = try bitmap()
    #expect(bitmap.copy() === bitmap)
    let copy = try #require(equalBitmap(bitmap))
    #expect(copy !== bitmap && copy.withRGBA { $0.baseAddress } == bitmap.withRGBA { $0.baseAddress })
    #expect(copy.hasSamePixels(as: bitmap))
  }

  @Test func `bytes are decoded once, when their pixels are first read`() throws {
    let image = try #require(UIImage(data: Fixture.data("jpeg/gray.jpg")))
    let bitmap = try #require(image.cgImage)
    #expect(image.size == CGSize(width: 97, height: 65) && !bitmap.isDecoded)
    let first = bitmap.withRGBA { $0.baseAddress }
    #expect(bitmap.isDecoded && bitmap.withRGBA { $0.baseAddress } == first)
  }

  @MainActor @Test
  func `a decode on the main thread is counted`() throws {
    let before = CGImage.mainThreadDecodes.value
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 10, height: 10))
    let view = UIImageView(frame: window.bounds)
    window.addSubview(view)
    view.image = try UIImage(data: Fixture.data("jpeg/gray.jpg"))
    #expect(CGImage.mainThreadDecodes.value > before)
  }

  @Test func `animated images retain their frames`() throws {
    let frames = try [UIImage(cgImage: bitmap(), scale: 2, orientation: .up), UIImage(cgImage: bitmap())]
    let image = try #require(UIImage.animatedImage(with: frames, duration: 3))
    #expect(image.images?.count == 2 && image.images?.first === frames[0] && image.duration == 3)
    #expect(image.size == CGSize(width: 3, height: 2))
    #expect(UIImage.animatedImage(with: frames, duration: 0)?.duration == 2.0 / 30)
    #expect(UIImage.animatedImage(with: [], duration: 1) == nil)
    // Images with the same first bitmap are equal, even if their other frames and their durations differ.
    #expect(image == UIImage.animatedImage(with: [frames[0], frames[0]], duration: 1))
    #expect(image != UIImage.animatedImage(with: frames.reversed(), duration: 3))
  }

  @Test func `a subclass that declares only convenience initializers inherits the other initializers`() throws {
    #expect(Subclass(note: "n").note == "n" && Subclass(note: "n").size == CGSize(width: 7, height: 7))
    let image = try Subclass(base: UIImage(cgImage: bitmap(), scale: 2, orientation: .left), cgImage: bitmap())
    #expect(image.size == CGSize(width: 2, height: 3))
    #expect(try Subclass(data: Fixture.data("jpeg/gray.jpg")) != nil)
    // A reference to the superclass calls the overrides of the instance.
    #expect((Subclass(note: "") as UIImage).size == CGSize(width: 7, height: 7))
  }

  @Test func `an empty image takes little memory`() throws {
    typealias UsableSize = @convention(c) (UnsafeMutableRawPointer?) -> Int
    // No header that Swift imports declares this function of the C library.
    let usableSize = unsafeBitCast(try #require(dlsym(nil, "malloc_usable_size")), to: UsableSize.self)
    let image = UIImage()
    // The object header, the bitmap, the attributes, the scale, and the orientation take 41 bytes. malloc rounds the size up to a multiple
    // of 16, and may add 16 bytes.
    #expect((41...72).contains(usableSize(Unmanaged.passUnretained(image).toOpaque())))
  }

  @Test func `an image literal of a subclass traps, because UIKit would corrupt the instance`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Subclass(imageLiteralResourceName: "any")
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains("cannot make a subclass of UIImage"))
  }

  @Test func `an archive restores an image with the same pixels, scale, and frames`() throws {
    let still = try UIImage(cgImage: bitmap(), scale: 2, orientation: .leftMirrored)
    let animated = try #require(UIImage.animatedImage(with: [still, UIImage(cgImage: bitmap(), scale: 2, orientation: .up)], duration: 2))
    for image in [still, animated, UIImage()] {
      let data = try NSKeyedArchiver.archivedData(withRootObject: image, requiringSecureCoding: true)
      let back = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: UIImage.self, from: data))
      #expect(back.size == image.size && back.scale == image.scale && back.imageOrientation == image.imageOrientation)
      #expect(back.images?.count == image.images?.count && back.duration == image.duration)
      #expect(back.cgImage?.bytes == image.cgImage?.bytes)
    }
  }

  @Test func `a derived copy has the image's class and content; the subclass's own properties have default values`() throws {
    let image = try Subclass(base: UIImage(cgImage: bitmap(), scale: 2, orientation: .left), cgImage: bitmap())
    image.note = "mine"
    let copies = [
      image.withRenderingMode(.alwaysTemplate), image.withTintColor(.red), image.withTintColor(.red, renderingMode: .alwaysOriginal),
      image.withAlignmentRectInsets(UIEdgeInsets(top: 1, left: 0, bottom: 0, right: 0)), image.withBaselineOffset(fromBottom: 3),
      image.imageFlippedForRightToLeftLayoutDirection(), image.imageRestrictedToStandardDynamicRange(),
      image.withConfiguration(UIImage.Configuration(traitCollection: UITraitCollection(userInterfaceStyle: .dark)))
    ]
    for copy in copies {
      #expect(copy !== image && type(of: copy) == Subclass.self && (copy as? Subclass)?.note == "")
      #expect(copy.cgImage === image.cgImage && copy.scale == 2 && copy.imageOrientation == .left)
    }
    #expect(copies[0].renderingMode == .alwaysTemplate && copies[3].alignmentRectInsets.top == 1)
    #expect(copies[5].flipsForRightToLeftLayoutDirection)
    #expect(image.withHorizontallyFlippedOrientation().imageOrientation == .leftMirrored)
  }

  @Test func `withRenderingMode returns the image itself for its current mode, and always the same copy for another mode`() throws {
    let image = try UIImage(cgImage: bitmap(), scale: 2, orientation: .up)
    #expect(image.withRenderingMode(.automatic) === image)
    let template = image.withRenderingMode(.alwaysTemplate)
    #expect(template !== image && image.withRenderingMode(.alwaysTemplate) === template)
    #expect(template.withRenderingMode(.alwaysTemplate) === template)
  }

  @Test func `withConfiguration returns the image itself if its configuration equals the given configuration`() throws {
    let image = try UIImage(cgImage: bitmap(), scale: 2, orientation: .up)
    let own = try #require(image.configuration)
    #expect(own.traitCollection?.displayScale == 2)
    #expect(image.withConfiguration(own) === image)
    let dark = UIImage.Configuration(traitCollection: UITraitCollection(userInterfaceStyle: .dark))
    let copy = image.withConfiguration(dark)
    #expect(copy !== image && copy.configuration == dark)
    #expect(copy.withConfiguration(UIImage.Configuration(traitCollection: UITraitCollection(userInterfaceStyle: .dark))) === copy)
  }

  @Test func `an asset returns the image that is registered for the style of a configuration`() throws {
    let asset = UIImageAsset()
    for (style, side) in [(UIUserInterfaceStyle.light, 3), (.dark, 5)] {
      let bitmap = try #require(CGImage.noise(side, side, opaque: true))
      asset.register(UIImage(cgImage: bitmap), with: UITraitCollection(userInterfaceStyle: style))
    }
    let light = asset.image(with: UITraitCollection(userInterfaceStyle: .light))
    #expect(light.size.width == 3 && light.imageAsset === asset)
    #expect(light.withConfiguration(UIImage.Configuration(traitCollection: UITraitCollection(userInterfaceStyle: .dark))).size.width == 5)
  }
}
