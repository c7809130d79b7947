// expect: main actor-isolated
import FutureImage
func f(_ view: UIImageView, _ future: FutureImage) async throws {
  let picture = try await future.value
  view.image = picture
}
