/// The outcome of a request for an item's image. It depends only on the item's number, so every run has the same faults.
public enum Outcome: Sendable, Hashable {
  case sent
  /// The image is sent after a delay of most of a second.
  case sentLate
  /// No byte is sent until the shop releases the image.
  case heldBack
  /// Half of the body is sent at once, and the rest when the shop releases the image.
  case heldHalfway
  /// The first request gets 503. The loader's own retry gets the image.
  case refusedOnce
  /// The first request gets 404. A click requests the image again and gets it.
  case missingOnce
  /// Every request gets 404.
  case missing
  /// Every request gets a page of HTML with status 200.
  case webPage
  /// Every request gets half of the bytes that the header declares.
  case cutShort

  public init(ofItem number: Int) {
    self =
      switch number {
      case 3: .heldHalfway
      case 4: .refusedOnce
      case 7: .missingOnce
      case 9: .heldBack
      case _ where number % 200 == 57: .webPage
      case _ where number % 200 == 111: .missing
      case _ where number % 200 == 163: .cutShort
      case _ where number % 50 == 23: .refusedOnce
      case _ where number % 40 == 33: .sentLate
      default: .sent
      }
  }

  /// The number of requests until the image has arrived or the app knows that it never will. Nil for an image that is cut short each time,
  /// because the app cannot know that the next response will also be cut short. So the app requests the image whenever it is shown again.
  public var requests: Int? {
    switch self {
    case .refusedOnce, .missingOnce: 2
    case .cutShort: nil
    default: 1
    }
  }

  /// Whether the image never arrives, however often it is requested.
  public var isFinal: Bool {
    switch self {
    case .missing, .webPage, .cutShort: true
    default: false
    }
  }
}
