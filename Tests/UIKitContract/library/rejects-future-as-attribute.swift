// expect: Write @FutureImage.FromURL, or @FutureImage.From with a recipe, in place of @FutureImage.
import FutureImage

struct Print {
  @FutureImage var photo: FutureImage
}
