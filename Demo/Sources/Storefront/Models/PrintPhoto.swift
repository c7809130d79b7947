import FutureImage

/// The appearance of the shop's images until they arrive.
public enum PrintPhoto: FutureImage.Recipe {
  public static func placeholder(in fields: FutureImage.SiblingFields) -> FutureImage.Placeholder? { "placeholder" }
}

/// The property wrapper for the shop's images in a model, as in `@PrintImage var photo: FutureImage`.
public typealias PrintImage<Value: FutureImage.FutureContainer> = FutureImage.From<PrintPhoto, Value>
