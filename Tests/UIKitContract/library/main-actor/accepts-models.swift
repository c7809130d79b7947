import FutureImage

// A model without annotations, which is isolated to the main actor.
struct Plain: Codable, Hashable, Identifiable {
  let id: Int
  @FutureImage.FromURL var photo: FutureImage
  @FutureImage.FromURL var extra: FutureImage?
}
func show(_ json: Data, in view: UIImageView) throws {
  var item = try JSONDecoder().decode(Plain.self, from: json)
  view.futureImage = item.photo
  item.photo = Plain(id: item.id, photo: item.photo, extra: nil).photo
}
// This function uses a conformance that is isolated to the main actor. Swift 6.3 does not refuse that, because it does not check the element
// of an array. If a later compiler refuses this function, change the table in ModelsAndFutures.md.
@concurrent func decode(_ json: Data) async throws -> [Plain] { try JSONDecoder().decode([Plain].self, from: json) }
// A model that any thread can decode, even in generic code. Its photos are read on the main actor.
struct Fetched: nonisolated Codable, nonisolated Hashable, Identifiable {
  let id: Int
  @FutureImage.FromURL var photo: FutureImage
  @FutureImage.FromURL var extra: FutureImage?
}
@concurrent func load<Model: Decodable & Sendable>(_ json: Data) async throws -> Model { try JSONDecoder().decode(Model.self, from: json) }
actor Feed {
  func decode(_ json: Data) throws -> Fetched { try JSONDecoder().decode(Fetched.self, from: json) }
  func count(_ json: Data) throws -> Int { try Set(JSONDecoder().decode([Fetched].self, from: json)).count }
  func url(_ item: Fetched) async -> URL? { await item.photo.url }
}
func reload(_ json: Data, in view: UIImageView) async throws {
  let item: Fetched = try await load(json)
  let shared: Shared = try await load(json)
  view.futureImage = item.photo
  view.futureImage = shared.photo
}
// A model that any thread can use as a whole, because the struct stores the wrappers themselves.
nonisolated struct Shared: Codable, Hashable, Identifiable {
  let id: Int
  private let storedPhoto: FutureImage.From<Cover, FutureImage>
  let extra: FutureImage.FromURL<FutureImage?>
  var others: FutureImage.FromURL<[FutureImage]>
  let sizes: FutureImage.FromURL<[String: FutureImage]>
  var photo: FutureImage { storedPhoto.wrappedValue }
  private enum CodingKeys: String, CodingKey { case id, storedPhoto = "photo", extra, others, sizes }
}
@concurrent func prefetch(_ json: Data) async throws -> Set<Shared> {
  var items = try JSONDecoder().decode([Shared].self, from: json)
  items[0].others = FutureImage.FromURL(wrappedValue: [FutureImage(at: URL(filePath: "/a.jpg"))])
  items.map(\.photo).forEach { _ = $0.key }
  return Set(items)
}
// A nonisolated class can use the wrappers as attributes. A Sendable class stores them in constants instead.
nonisolated final class Unshared: Codable {
  @FutureImage.FromURL var photo: FutureImage
}
nonisolated final class Reviewer: Sendable {
  let portrait: FutureImage.FromURL<FutureImage>
  init(_ url: URL) { portrait = FutureImage.FromURL("\(url)") }
}
nonisolated func url(_ reviewer: Reviewer) -> URL? { reviewer.portrait.wrappedValue.url }
// A recipe, whose protocol is Sendable.
enum Cover: FutureImage.Recipe {
  static let radius = 8.0
  static var transform: FutureImage.Transform? { .roundedCorners(radius) }
  static func source(for text: String, in fields: FutureImage.SiblingFields) throws -> FutureImage.Source { .url(try fields.url(for: text)) }
  static func renew(_ url: URL, key: String) async throws -> URL? { url }
}
nonisolated func radius() -> Double { Cover.radius }
