// expect: main actor-isolated conformance of 'Item' to 'Decodable' cannot be used in nonisolated context
import FutureImage
private struct Item: Decodable {
  let id: Int
  @FutureImage.FromURL var photo: FutureImage
}
@concurrent private func decode(_ json: Data) async throws -> Int { try JSONDecoder().decode(Item.self, from: json).id }
