extension FutureImage.Loader {
  /// Something that a loader did, for logs and measurements. No text in it has credentials or what looks like them.
  ///
  ///     configuration.onEvent = { print($0) }
  public struct Event: Sendable, CustomStringConvertible {
    /// What it did.
    public enum Kind: Sendable {
      /// An exchange begins; after a redirect the URL is the new one, without credentials.
      case requested(URL?)
      /// An attempt failed; the next comes after the wait.
      case retrying(FutureImage.Failure, after: Duration)
      /// So many bytes came from the source.
      case fetched(bytes: Int, in: Duration)
      /// The source says that what is known still holds.
      case unchanged
      /// So many bytes came from a disk tier.
      case read(bytes: Int, in: Duration)
      /// Pixels of that size were made.
      case decoded(width: Int, height: Int, in: Duration)
      /// The data of a GIF are damaged, and this share of its pixels, above 0 and at most 0.9, is transparent instead. Where more is missing,
      /// and in other formats, damage is a failure. Reported on Linux, before the pixels that were made; ImageIO reports no such share.
      case damaged(missing: Double)
      /// So much was made to show of a picture whose bytes are still coming: pixels of that size, not all of them there.
      case interim(width: Int, height: Int, in: Duration)
      /// A transfer or a decode failed for good.
      case failed(FutureImage.Failure)
      /// Nobody wants the picture any more.
      case cancelled
      /// A feed has a text that names no picture. The property is nil, the element is left out, or the future fails; reported while the
      /// model is decoded, with the text and its path for a source.
      case unusable(FutureImage.Failure)
      /// A cache tier could not read or write. No picture is lost by it.
      case cacheFault(String)
    }

    /// The key of the picture.
    public let source: String
    /// What was done with it.
    public let kind: Kind

    public var description: String {
      switch kind {
      case .requested(let url): "\(source): requested\(url.map { " \($0.absoluteString)" } ?? "")"
      case .retrying(let failure, let wait): "\(source): will be tried again in \(wait.milliseconds) ms. \(failure.text(after: source))"
      case .fetched(let bytes, let time): "\(source): \(bytes) bytes fetched in \(time.milliseconds) ms"
      case .unchanged: "\(source): unchanged"
      case .read(let bytes, let time): "\(source): \(bytes) bytes read in \(time.milliseconds) ms"
      case .decoded(let width, let height, let time): "\(source): \(width) × \(height) pixels decoded in \(time.milliseconds) ms"
      case .damaged(let missing): "\(source): damaged, \(Int((missing * 100).rounded(.up))) % of its pixels are missing"
      case .interim(let width, let height, let time): "\(source): \(width) × \(height) pixels begun in \(time.milliseconds) ms"
      case .failed(let failure): "\(source): failed. \(failure.text(after: source))"
      case .cancelled: "\(source): canceled"
      case .unusable(let failure): "\(source): names no picture. \(failure.text(after: source))"
      case .cacheFault(let what): "\(source): a cache failed. \(what.clause)."
      }
    }
  }

  /// Not to be called inside the lock: the app may ask the loader something in return.
  func tell(_ kind: @autoclosure () -> Event.Kind, _ source: SourceKey) {
    guard let onEvent = configuration.onEvent else { return }
    assertNoLockIsHeld()
    onEvent(Event(source: source.text, kind: kind()))
  }
}

extension FutureImage.Failure {
  /// The description, without its source where the line begins with that.
  fileprivate func text(after source: String) -> String { self.source == source ? unnamed : description }
}

extension Duration {
  fileprivate var milliseconds: String {
    let (seconds, attoseconds) = components
    let tenths = seconds * 10_000 + attoseconds / 100_000_000_000_000
    return "\(tenths / 10).\(abs(tenths % 10))"
  }
}
