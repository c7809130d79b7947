extension Error {
  /// The error's own description, as the end of a sentence.
  ///
  /// The interpolation of an `NSError` contains its whole `userInfo`, including URLs with credentials. Its `localizedDescription` does not.
  var words: String {
    if let failure = self as? FutureImage.Failure { return failure.why }
    if let text = (self as? any LocalizedError)?.errorDescription { return text.clause }
    let isOfFoundation = self is any CustomNSError || type(of: self) is NSError.Type
    return (isOfFoundation ? localizedDescription : "\(self)").clause
  }
}
