// expect: 'nonisolated(unsafe)' has no effect on property 'photo'
import FutureImage
nonisolated private struct Item: Codable {
  @FutureImage.FromURL nonisolated(unsafe) var photo: FutureImage
}
