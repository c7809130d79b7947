import Foundation
import Testing

@testable import FutureImage

/// Tests of recipes that read other fields of the JSON object that contains the image's text.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct SiblingsTests {
  enum Numbered: FutureImage.Recipe {
    static func source(for text: String, in fields: FutureImage.SiblingFields) throws -> FutureImage.Source {
      .url(try fields.url(for: text), key: fields.value("product_id", as: Int.self).map { "product-\($0)" })
    }

    static func size(in fields: FutureImage.SiblingFields) -> CGSize? {
      fields.size(width: "photo_width", height: "photo_height")
    }
  }

  struct Product: Decodable {
    let productId: Int
    let photoWidth: Double
    let photoHeight: Double
    @FutureImage.From<Numbered, FutureImage> var photo: FutureImage
  }

  struct Mapped: Decodable {
    let id: Int
    @FutureImage.From<Numbered, FutureImage> var photo: FutureImage

    enum CodingKeys: String, CodingKey {
      case id = "product_id"
      case photo
    }
  }

  let loader = FutureImage.Loader()

  func decode<Model: Decodable>(_ type: Model.Type, _ strategy: JSONDecoder.KeyDecodingStrategy) throws -> Model {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = strategy
    decoder.userInfo[FutureImage.loaderKey] = loader
    let json = #"{"product_id": 7, "photo_width": 30, "photo_height": 20, "photo": "data:,"}"#
    return try decoder.decode(type, from: Data(json.utf8))
  }

  @Test func `a field is found by its name in the JSON even if the decoder converts names`() throws {
    let photo = try decode(Product.self, .convertFromSnakeCase).photo
    #expect(photo.key == "product-7")
    #expect(photo.size == CGSize(width: 30, height: 20))
  }

  @Test func `a field is found by its name in the JSON if a coding key has that name`() throws {
    #expect(try decode(Mapped.self, .useDefaultKeys).photo.key == "product-7")
  }

  enum Natural: FutureImage.Recipe {
    static func size(in fields: FutureImage.SiblingFields) -> CGSize? { fields.size() }
  }

  struct Plate: Decodable {
    let width: Double
    let height: Double
    @FutureImage.From<Natural, FutureImage> var photo: FutureImage
  }

  @Test(arguments: [(0, 20), (30, 0), (-30, 20), (30, -20)])
  func `a future has no known size if a side in the feed is zero or negative`(width: Int, height: Int) throws {
    let decoder = JSONDecoder()
    decoder.userInfo[FutureImage.loaderKey] = loader
    let plate = try decoder.decode(Plate.self, from: Data(#"{"width": \#(width), "height": \#(height), "photo": "data:,"}"#.utf8))
    #expect(plate.photo.descriptor?.size == nil)
  }

  @Test func `a field is not found by a name that differs only in the case of its letters`() throws {
    struct Probe: Decodable {
      enum CodingKeys: String, CodingKey { case productid }

      let found: Int?

      init(from decoder: any Decoder) throws {
        found = try decoder.container(keyedBy: CodingKeys.self).sibling("ProductID", as: Int.self)
      }
    }
    #expect(try JSONDecoder().decode(Probe.self, from: Data(#"{"productid": 7}"#.utf8)).found == nil)
  }

  @Test(arguments: ["product_id", "_product_id", "product_id_", "product_ID", "productid", "a_b_c", "__", "PRODUCT_ID"])
  func `the names of fields are converted from snake case in the same way as Foundation's decoder converts keys`(_ name: String) throws {
    struct AnyKey: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }
    struct Probe: Decodable {
      let found: Int?
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        let name = decoder.userInfo[.name].flatMap { $0 as? String } ?? ""
        // The container has only keys that Foundation has converted. So if the conversion changes a name, this call finds the field only by
        // the converted name.
        found = container.sibling(name, as: Int.self)
      }
    }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.userInfo[.name] = name
    #expect(try decoder.decode(Probe.self, from: Data(#"{"\#(name)": 7}"#.utf8)).found == 7)
  }

  @Test func `a field that the model does not declare is nil, and is reported once`() throws {
    struct Post: Decodable {
      let reports: [String]
      let values: [String?]

      enum CodingKeys: String, CodingKey {
        case caption
        case photoTitle
      }

      init(from decoder: any Decoder) throws {
        let texts = Lock<[String]>([])
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let fields = FutureImage.SiblingFields(container, warnings: DeveloperWarnings { text in texts.withLock { $0.append(text) } })
        values = ["caption", "photo_title", "author", "author"].map { fields.value($0, as: String.self) }
        reports = texts.withLock { $0 }
      }
    }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let post = try decoder.decode(Post.self, from: Data(#"{"caption": "a", "photo_title": "b", "author": "c"}"#.utf8))
    #expect(post.values == ["a", "b", nil, nil])
    #expect(post.reports.count == 1)
    #expect(post.reports.first?.contains("“author”") == true && post.reports.first?.contains("Post.CodingKeys") == true)
  }
}

extension CodingUserInfoKey {
  fileprivate static let name = CodingUserInfoKey(rawValue: "name") ?? FutureImage.loaderKey
}
