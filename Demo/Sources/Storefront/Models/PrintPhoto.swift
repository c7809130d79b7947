import FutureImage

/// How the shop's pictures look until they arrive.
public enum PrintPhoto: FutureImage.Recipe {
  public static var placeholder: String? { "placeholder" }
}

/// `@PrintImage var photo: FutureImage` on a model: a picture of the shop.
public typealias PrintImage<Value: FutureImage.Shape> = FutureImage.From<PrintPhoto, Value>
