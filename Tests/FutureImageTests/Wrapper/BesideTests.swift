import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@MainActor @Suite("Fields beside the URL", .tags(.threads), .timeLimit(.minutes(5))) struct BesideTests {
  enum Colored: FutureImage.Recipe {
    static var transform: FutureImage.Transform? { .crop(toRatio: 1) }

    static func size(in fields: FutureImage.SiblingFields) -> CGSize? { fields.size() }

    static func placeholder(in fields: FutureImage.SiblingFields) -> FutureImage.Placeholder? {
      fields.value("color", as: String.self).map { .color(hex: $0) }
    }

    static func alternativeText(in fields: FutureImage.SiblingFields) -> String? { fields.value("caption", as: String.self) }
  }

  struct Photo: Decodable {
    let color: String?
    let width: Double?
    let height: Double?
    let caption: String?
    @FutureImage.From<Colored, FutureImage?> var photo: FutureImage?
    @FutureImage.From<Colored, [FutureImage]?> var details: [FutureImage]?
  }

  let fixture = LoaderFixture()

  func photo(_ json: String) throws -> Photo {
    let decoder = JSONDecoder()
    decoder.userInfo[FutureImage.loaderKey] = fixture.loader
    return try decoder.decode(Photo.self, from: Data(json.utf8))
  }

  func isColored(_ image: UIImage?, _ hex: String) -> Bool {
    let color = FutureImage.Placeholder.color(hex: hex).image()?.color
    return color != nil && image?.color == color
  }

  @Test func `a placeholder from a field beside the URL is shown until the image arrives`() async throws {
    let photo = try photo(##"{"photo": "https://shop.test/a.jpg", "color": "#FF0000", "width": 40, "height": 30}"##)
    let future = try #require(photo.photo)
    let view = imageView(100)
    view.futureImage = future
    #expect(view.image === future)
    let placeholder = try #require(future.borrowed?.original)
    #expect(placeholder.size == CGSize(width: 30, height: 30), "the transform crops the placeholder")
    #expect(isColored(placeholder, "#FF0000"))
    await fixture.serve("a")
    #expect(view.futureImage == nil)
  }

  @Test func `every element of a collection has the placeholder from the field beside the collection`() throws {
    let details = try photo(##"{"details": ["https://shop.test/a.jpg", "https://shop.test/b.jpg"], "color": "#00FF00"}"##).details
    #expect(details?.count == 2 && details?.allSatisfy { isColored($0.borrowed?.original, "#00FF00") } == true)
    #expect(fixture.held.requests.isEmpty)
  }

  @Test func `a future has no placeholder if the field for the placeholder is missing`() throws {
    #expect(try photo(#"{"photo": "https://shop.test/a.jpg"}"#).photo?.borrowed == nil)
  }

  @Test func `a recipe that names a missing asset makes no placeholder, and causes no failure`() throws {
    enum Missing: FutureImage.Recipe {
      static func placeholder(in fields: FutureImage.SiblingFields) -> FutureImage.Placeholder? { "no such asset" }
    }
    #expect(FutureImage.From<Missing, FutureImage>("data:,", loader: fixture.loader).wrappedValue.borrowed == nil)
  }

  @Test func `a future and its tinted copies have the alternative text of the recipe`() throws {
    let photo = try photo(#"{"photo": "https://shop.test/a.jpg", "caption": "A dog in the snow"}"#).photo
    #expect(photo?.alternativeText == "A dog in the snow")
    #expect((photo?.withTintColor(.red) as? FutureImage)?.alternativeText == "A dog in the snow")
    #expect(fixture.future("b").alternativeText == nil && FutureImage().alternativeText == nil)
  }
}
