/// What becomes of a request for an item's picture. It depends on the item's number alone, so every run meets the same faults.
public enum Fate: Sendable, Hashable {
  case sent
  /// Sent, after most of a second.
  case sentLate
  /// No byte until the shop lets go.
  case heldBack
  /// Half of it, the rest when the shop lets go.
  case heldHalfway
  /// 503 once, then sent: the loader's own retry gets it.
  case refusedOnce
  /// 404 once, then sent: a click gets it.
  case missingOnce
  /// 404, for ever.
  case missing
  /// A page of HTML with status 200.
  case webPage
  /// Half of the bytes that the header promised, each time.
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

  /// How often the picture must be asked for until it is there or known to be missing. Nil for one that comes broken each time: that may
  /// pass, so it is tried again whenever it is shown again.
  public var requests: Int? {
    switch self {
    case .refusedOnce, .missingOnce: 2
    case .cutShort: nil
    default: 1
    }
  }

  /// Whether the picture never comes, however often it is asked for.
  public var isFinal: Bool {
    switch self {
    case .missing, .webPage, .cutShort: true
    default: false
    }
  }
}
