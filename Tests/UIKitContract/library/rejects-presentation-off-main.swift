// expect: main actor-isolated
import FutureImage
func f() -> FutureImage.Presentation { FutureImage.Presentation(retriesOnTap: true) }
