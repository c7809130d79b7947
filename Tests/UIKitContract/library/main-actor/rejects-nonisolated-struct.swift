// expect: 'nonisolated' cannot be applied to mutable stored properties
import FutureImage
nonisolated private struct Item: Codable {
  @FutureImage.FromURL var photo: FutureImage
}
