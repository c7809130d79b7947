// expect: main actor-isolated initializer 'init(entity:insertInto:)' has different actor isolation from nonisolated overridden declaration
import CoreData
import FutureImage
@MainActor private final class Print: NSManagedObject {
  @NSManaged var photoURL: URL
  lazy var photo = FutureImage(at: photoURL)
}
