extension FutureImage {
  /// The treatment of a text that names no fetchable image, such as a relative URL without a base.
  public enum Strictness: Sendable {
    /// Decoding continues. An optional property is nil, a collection omits the element, and any other future fails permanently, with a
    /// ``Failure`` that quotes the text. The loader reports ``Loader/Event/Kind/unusable(_:)``, and the log has the first such text of a
    /// recipe.
    case lenient
    /// Decoding throws a `DecodingError` with the element's path and the text.
    case strict
  }
}
