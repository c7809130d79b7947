import Foundation
import Glibc
import Testing
import UIKitStandIn

/// What a subclass of UIKit's image may look like: convenience initializers and defaulted properties only.
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

@Suite("UIImage")
struct UIImageTests {
  private func bitmap() throws -> CGImage {
    try #require(CGImage.noise(6, 4, opaque: false))
  }

  @Test("an empty image has size zero, scale 1 and no bitmap")
  func empty() {
    let image = UIImage()
    #expect(image.size == .zero && image.scale == 1 && image.imageOrientation == .up)
    #expect(image.cgImage == nil && image.images == nil && image.duration == 0)
    #expect(image.pngData() == nil && image.jpegData(compressionQuality: 1) == nil)
  }

  @Test("its size is pixels through scale, with the sides swapped where the picture lies on its side", arguments: 0...7)
  func sizes(raw: Int) throws {
    let orientation = try #require(UIImage.Orientation(rawValue: raw))
    let image = try UIImage(cgImage: bitmap(), scale: 2, orientation: orientation)
    let lies: Set<UIImage.Orientation> = [.left, .right, .leftMirrored, .rightMirrored]
    #expect(image.size == (lies.contains(orientation) ? CGSize(width: 2, height: 3) : CGSize(width: 3, height: 2)))
    #expect(image.scale == 2 && image.imageOrientation == orientation)
  }

  @Test("the bitmap is the object that was put in")
  func identity() throws {
    let bitmap = try bitmap()
    #expect(UIImage(cgImage: bitmap).cgImage === bitmap)
    #expect(UIImage(cgImage: bitmap, scale: 0, orientation: .up).scale == 1)
  }

  @Test("bytes keep their stored axes and say how to turn them")
  func exif() throws {
    let image = try #require(UIImage(data: Fixture.data("exif/Landscape_6.jpg"), scale: 2))
    #expect(image.imageOrientation == .right && image.size == CGSize(width: 48, height: 32))
    #expect(image.cgImage?.width == 64 && image.cgImage?.height == 96)
    #expect(try #require(UIImage(data: Fixture.data("jpeg/gray.jpg"))).size == CGSize(width: 97, height: 65))
  }

  @Test("garbage and half a picture are no image")
  func garbage() throws {
    #expect(UIImage(data: Data()) == nil)
    #expect(UIImage(data: Data("garbage".utf8)) == nil)
    #expect(UIImage(data: Data("garbage".utf8), scale: 2) == nil)
    #expect(try UIImage(data: Fixture.data("jpeg/baseline.jpg").prefix(600)) == nil)
    #expect(UIImage(contentsOfFile: "/no/such/file.png") == nil)
  }

  @Test("what is written is upright")
  func writing() throws {
    let bitmap = try bitmap()
    let image = UIImage(cgImage: bitmap, scale: 2, orientation: .right)
    let png = try ImageCodecs.decode(#require(image.pngData()))
    #expect(try png.hasSamePixels(as: #require(bitmap.turned(.right))))
    let jpeg = try ImageCodecs.info(of: #require(image.jpegData(compressionQuality: 0.8)))
    #expect(jpeg.format == .jpeg && jpeg.size == PixelSize(width: 4, height: 6) && jpeg.orientation == .up)
  }

  @Test("images are equal by contents")
  func equality() throws {
    let bitmap = try bitmap()
    let copy = try #require(CGImage(width: 6, height: 4, rgba: bitmap.bytes))
    let image = UIImage(cgImage: bitmap, scale: 2, orientation: .left)
    let twin = UIImage(cgImage: copy, scale: 2, orientation: .left)
    #expect(image == twin && image.hash == twin.hash)
    #expect(image != UIImage(cgImage: copy, scale: 1, orientation: .left))
    #expect(image != UIImage(cgImage: copy, scale: 2, orientation: .right))
    #expect(try image != UIImage(cgImage: #require(CGImage.noise(6, 4, opaque: true)), scale: 2, orientation: .left))
    #expect(image != UIImage() && UIImage() == UIImage() && UIImage().hash == UIImage().hash)
    #expect(!image.isEqual(NSString("image")) && !image.isEqual(nil))
  }

  @Test("animated images hold their frames")
  func animated() throws {
    let frames = try [UIImage(cgImage: bitmap(), scale: 2, orientation: .up), UIImage(cgImage: bitmap())]
    let image = try #require(UIImage.animatedImage(with: frames, duration: 3))
    #expect(image.images?.count == 2 && image.images?.first === frames[0] && image.duration == 3)
    #expect(image.size == CGSize(width: 3, height: 2))
    #expect(UIImage.animatedImage(with: frames, duration: 0)?.duration == 2.0 / 30)
    #expect(UIImage.animatedImage(with: [], duration: 1) == nil)
    #expect(image == UIImage.animatedImage(with: frames, duration: 3))
    #expect(image != UIImage.animatedImage(with: frames.reversed(), duration: 3))
    // The same first picture, another second one.
    #expect(image != UIImage.animatedImage(with: [frames[0], frames[0]], duration: 3))
    #expect(image != frames[0])
  }

  @Test("a subclass needs convenience initializers only, and inherits the rest")
  func subclass() throws {
    #expect(Subclass(note: "n").note == "n" && Subclass(note: "n").size == CGSize(width: 7, height: 7))
    let image = try Subclass(base: UIImage(cgImage: bitmap(), scale: 2, orientation: .left), cgImage: bitmap())
    #expect(image.size == CGSize(width: 2, height: 3))
    #expect(try Subclass(data: Fixture.data("jpeg/gray.jpg")) != nil)
    // The interface of the subclass's own instances, through a reference to the superclass.
    #expect((Subclass(note: "") as UIImage).size == CGSize(width: 7, height: 7))
  }

  @Test("an empty image is light")
  func light() throws {
    typealias UsableSize = @convention(c) (UnsafeMutableRawPointer?) -> Int
    // In the C library, in no header that Swift imports; this is its signature.
    let usableSize = unsafeBitCast(try #require(dlsym(nil, "malloc_usable_size")), to: UsableSize.self)
    let image = UIImage()
    // Object header, bitmap, animation, scale and orientation make 41 bytes. malloc rounds up to 16, and gives 16 more where those would be
    // left over.
    #expect((41...72).contains(usableSize(Unmanaged.passUnretained(image).toOpaque())))
  }

  @Test("an image literal traps for a subclass, which real UIKit would corrupt")
  func literalOfSubclass() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Subclass(imageLiteralResourceName: "any")
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains("must not be called on a subclass"))
  }

  @Test("an archive gives back an equal image")
  func archive() throws {
    let still = try UIImage(cgImage: bitmap(), scale: 2, orientation: .leftMirrored)
    let animated = try #require(UIImage.animatedImage(with: [still, UIImage(cgImage: bitmap())], duration: 2))
    for image in [still, animated, UIImage()] {
      let data = try NSKeyedArchiver.archivedData(withRootObject: image, requiringSecureCoding: true)
      #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: UIImage.self, from: data) == image)
    }
  }
}
