extension FutureImage.Loader {
  /// An action of a loader on the image of a key, for logs and measurements. Its texts contain no credentials, and nothing that looks like
  /// credentials.
  ///
  ///     configuration.onEvent = { key, event in print("\(key): \(event)") }
  public enum Event: Sendable, CustomStringConvertible {
    /// An exchange with this URL begins. The URL has no credentials. After a redirect, it is the new URL. Nil for a `data:` URL.
    case requested(URL?)
    /// An attempt failed. The next attempt follows after this wait.
    case retrying(FutureImage.Failure, after: Duration)
    /// This number of bytes was fetched from the source.
    case fetched(bytes: Int, in: Duration)
    /// The source has confirmed that the known image is still valid.
    case unchanged
    /// This number of bytes was read from a disk tier.
    case read(bytes: Int, in: Duration)
    /// Pixels of this size were decoded.
    case decoded(width: Int, height: Int, in: Duration)
    /// The data of a GIF or a JPEG is damaged, so a share of its pixels is missing. The value is this share, above 0 and at most 0.9.
    /// Missing pixels are transparent, or the decoder estimates them. If a larger share is missing, or if at least half of the rows of a
    /// JPEG are missing, the damage is a failure. In other formats, any damage is a failure. Reported on Linux, before the event of the
    /// decoded pixels. ImageIO reports no such share.
    case damaged(missing: Double)
    /// The color profile of an image, or another description of its colors, is not used. The value is the reason, which completes the
    /// sentence “color profile ignored: …”. If a library is missing, the reason names its Debian package. The image is shown with its
    /// stored levels, or according to another description in the file. Reported on Linux, before the event of the decoded pixels.
    case ignoredProfile(String)
    /// An animation exceeds a limit of ``FutureImage/DecodingLimits``, or has a broken frame. So the image has only this number of frames,
    /// at this size. With one frame, it is a still image.
    case reducedAnimation(frames: Int, of: Int, width: Int, height: Int)
    /// A preview of this size was made from the bytes that have arrived so far. Some of its pixels are missing.
    case preview(width: Int, height: Int, in: Duration)
    /// A transfer or a decode failed, and is not retried. If the bytes of the decode came from a disk tier, other bytes may be fetched.
    case failed(FutureImage.Failure)
    /// The image is no longer requested.
    case cancelled
    /// A text in a feed names no image. The property is nil, the element is left out, or the future fails. Reported while the model is
    /// decoded. The key of the event is the text and its path.
    case unusable(FutureImage.Failure)
    /// A cache tier could not read or write. No image is lost.
    case cacheFault(String)

    public var description: String {
      switch self {
      case .requested(let url): "requested\(url.map { " \($0.absoluteString)" } ?? "")"
      case .retrying(let failure, let wait): "will be tried again in \(wait.milliseconds) ms. \(failure.unnamed)"
      case .fetched(let bytes, let time): "\(bytes) bytes fetched in \(time.milliseconds) ms"
      case .unchanged: "unchanged"
      case .read(let bytes, let time): "\(bytes) bytes read in \(time.milliseconds) ms"
      case .decoded(let width, let height, let time): "\(width) × \(height) pixels decoded in \(time.milliseconds) ms"
      case .damaged(let missing): "damaged, \(Int((missing * 100).rounded(.up))) % of its pixels are missing"
      case .ignoredProfile(let reason): "color profile ignored: \(reason)"
      case .reducedAnimation(let frames, let count, let width, let height):
        "plays \(frames) of its \(count) frames with \(width) × \(height) pixels, because it exceeds a limit or has a broken frame"
      case .preview(let width, let height, let time): "\(width) × \(height) pixels of a preview decoded in \(time.milliseconds) ms"
      case .failed(let failure): "failed. \(failure.unnamed)"
      case .cancelled: "canceled"
      case .unusable(let failure): "cannot be used. \(failure.unnamed)"
      case .cacheFault(let what): "a cache failed. \(what.clause)."
      }
    }
  }

  /// Reports an event. Call it outside of the lock, because the app may call the loader in return.
  func report(_ event: @autoclosure () -> Event, _ source: SourceKey) {
    guard let onEvent = configuration.onEvent else { return }
    assertNoLockIsHeld()
    onEvent(source.text, event())
  }
}

extension Duration {
  fileprivate var milliseconds: String {
    let (seconds, attoseconds) = components
    let tenths = seconds * 10_000 + attoseconds / 100_000_000_000_000
    return "\(tenths / 10).\(abs(tenths % 10))"
  }
}
