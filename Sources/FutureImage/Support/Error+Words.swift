extension Error {
  /// The error in its own words, as the end of a sentence.
  ///
  /// The interpolation of an `NSError` has its whole `userInfo`, URLs with credentials included; its `localizedDescription` has not.
  var words: String {
    if let failure = self as? FutureImage.Failure { return failure.why }
    if let text = (self as? any LocalizedError)?.errorDescription { return text.clause }
    let isOfFoundation = self is any CustomNSError || type(of: self) is NSError.Type
    return (isOfFoundation ? localizedDescription : "\(self)").clause
  }
}
