import FutureImage

/// The appearance of the shop's images until they arrive.
public enum PrintPhoto: FutureImage.Recipe {
  public static var placeholder: String? { "placeholder" }
}

/// `@PrintImage var photo: FutureImage` on a model: an image of the shop.
public typealias PrintImage<Value: FutureImage.FutureContainer> = FutureImage.From<PrintPhoto, Value>
