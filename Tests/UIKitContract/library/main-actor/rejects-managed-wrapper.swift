// expect: property 'photo' with a wrapper cannot also be '@NSManaged'
import CoreData
import FutureImage
private final class Print: NSManagedObject {
  @NSManaged @FutureImage.FromURL var photo: FutureImage
}
