// expect: main actor-isolated property 'photo' can not be referenced from a nonisolated context
import FutureImage
private struct Item: nonisolated Codable {
  @FutureImage.FromURL var photo: FutureImage
}
nonisolated private func key(_ item: Item) -> String? { item.photo.key }
