// Classes with futures, in a module whose code is isolated to the main actor by default.
import CoreData
import FutureImage
import Observation

@Observable final class Editor {
  var title = ""
  @ObservationIgnored @FutureImage.FromURL var photo: FutureImage
  @ObservationIgnored private(set) lazy var large = FutureImage(at: url)
  var replacement: FutureImage?
  let url: URL
  init(url: URL) {
    self.url = url
    photo = FutureImage(at: url)
  }
}
@Observable final class DecodedEditor: Decodable {
  let id: Int
  @ObservationIgnored @FutureImage.FromURL var photo: FutureImage
  private enum CodingKeys: CodingKey { case id, photo }
}
@Observable nonisolated final class Draft {
  var title = ""
  @ObservationIgnored @FutureImage.FromURL var photo: FutureImage
  init(url: URL) { photo = FutureImage(at: url) }
}
final class Author {
  let url: URL
  private(set) lazy var portrait = FutureImage(at: url)
  init(url: URL) { self.url = url }
}
nonisolated final class Critic {
  let url: URL
  private(set) lazy var portrait = FutureImage(at: url)
  init(url: URL) { self.url = url }
}
func show(_ editor: Editor, _ author: Author, _ critic: Critic, in views: [UIImageView]) {
  for (view, photo) in zip(views, [editor.photo, editor.large, author.portrait, critic.portrait]) { view.futureImage = photo }
}
@concurrent func portrait(of author: Author) async throws -> UIImage { try await author.portrait.value }
// Managed objects are not isolated, and belong to the queue of their context.
final class Print: NSManagedObject {
  @NSManaged var photoURL: URL
  private var made: FutureImage?
  var photo: FutureImage {
    if let made, made.url == photoURL { return made }
    let photo = FutureImage(at: photoURL)
    made = photo
    return photo
  }
  private(set) lazy var thumbnail = FutureImage(at: photoURL)
  override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) { super.init(entity: entity, insertInto: context) }
}
func show(_ print: Print, in view: UIImageView) { view.futureImage = print.photo }
nonisolated func prefetch(_ print: Print) { _ = print.photo.key }
