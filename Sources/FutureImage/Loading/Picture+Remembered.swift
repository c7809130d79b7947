extension Picture {
  /// The facts about an image that outlive its readers, besides its generation. ``Registry`` limits the number of pictures that are
  /// remembered.
  struct Remembered {
    /// The time until which the image needs no revalidation; nil if its source stated nothing.
    var validity: Validity?
    var refusals = Refusals()
    /// The beginning of a body that broke off. ``HeldBytes`` sets it.
    var beginning: HeldBytes.Beginning?
    var renewedURLs = RenewedURLs()

    var isEmpty: Bool { validity == nil && refusals.isEmpty && beginning == nil && renewedURLs.isEmpty }
  }

  /// Forgets the failures of its source.
  func forgetRefusals(_ departed: inout Departed) {
    if !remembered.refusals.isEmpty { remembered.refusals.removeAll(&departed) }
  }
}
