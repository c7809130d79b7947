import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@MainActor @Suite("A size in the model is known before the image has loaded", .tags(.threads), .timeLimit(.minutes(5)))
struct CellHeightTests {
  enum Sized: FutureImage.Recipe {
    static func size(in fields: FutureImage.SiblingFields) -> CGSize? { fields.size() }
  }

  struct Photo: Decodable {
    let width: Int
    let height: Int
    @FutureImage.From<Sized, FutureImage> var image: FutureImage
  }

  struct Unsized: Decodable {
    @FutureImage.From<Sized, FutureImage> var image: FutureImage
  }

  let fixture = LoaderFixture(disk: .temporary())

  func decode<Model: Decodable>(_ type: Model.Type, _ json: String) throws -> Model {
    let decoder = JSONDecoder()
    decoder.userInfo[FutureImage.loaderKey] = fixture.loader
    return try decoder.decode(type, from: Data(json.utf8))
  }

  @Test func `a future has the size that the model's width and height fields declare, before and after the image loads`() async throws {
    let photo = try decode(Photo.self, #"{"width": 600, "height": 450, "image": "https://shop.test/a.jpg"}"#)
    let known = CGSize(width: 600, height: 450)
    let (cell, detail) = (imageView(150), imageView(1200))
    cell.futureImage = photo.image
    #expect(cell.intrinsicContentSize == known)
    #expect(photo.image.size == known)
    await fixture.serve("a", SampleImage.jpeg(1200, 900))
    #expect(cell.intrinsicContentSize == known && cell.image?.cgImage?.width == 150)
    detail.futureImage = photo.image
    #expect(detail.intrinsicContentSize == known)
    await fixture.loader.waitForIdle()
    #expect(detail.intrinsicContentSize == known && detail.image?.cgImage?.width == 1200)
  }

  @Test(arguments: [
    #"{"width": 0, "height": 450, "image": "https://shop.test/a.jpg"}"#, #"{"width": -1, "height": -1, "image": "https://shop.test/a.jpg"}"#
  ])
  func `an invalid size in a model counts as unknown`(_ json: String) throws {
    #expect(try decode(Photo.self, json).image.size == .zero)
  }

  @Test func `a future has no known size if its model does not declare the width and height fields`() throws {
    #expect(try decode(Unsized.self, #"{"width": 600, "height": 450, "image": "https://shop.test/a.jpg"}"#).image.size == .zero)
  }
}
