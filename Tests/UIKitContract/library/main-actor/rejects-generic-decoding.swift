// expect: main actor-isolated conformance of 'Item' to 'Decodable' cannot satisfy conformance requirement for a 'Sendable' type parameter
import FutureImage
private struct Item: Decodable {
  let id: Int
  @FutureImage.FromURL var photo: FutureImage
}
nonisolated private func load<Model: Decodable & Sendable>(_ json: Data) throws -> Model { try JSONDecoder().decode(Model.self, from: json) }
private func first(_ json: Data) throws -> [Item] { try load(json) }
