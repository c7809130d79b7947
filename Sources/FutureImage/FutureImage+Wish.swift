extension FutureImage {
  /// What a future asks of its loader about the bytes of its picture. Each wish has a ticket, and only the answer to a wish that still stands
  /// is taken.
  ///
  /// | from | by | to |
  /// | --- | --- | --- |
  /// | deferred | the first use | none |
  /// | none | the future's creation | put off |
  /// | put off | its turn in the backlog, or somebody who waits | with the loader |
  /// | none | somebody who lacks bytes | with the loader |
  /// | any but deferred | a reload | reloading |
  /// | any but deferred | an answer, a cancellation | none |
  enum Wish: Equatable {
    /// The future has never been used, so the loader does not know it.
    case deferred
    case none
    /// It stands in the loader's backlog, and is not the loader's yet.
    case putOff(UInt32)
    case asked(UInt32)
    /// The source is asked again, whatever caches have. A picture that is here stays until a changed one has come.
    case reloading(UInt32)

    /// Nil where nothing is asked for.
    var ticket: UInt32? {
      switch self {
      case .deferred, .none: nil
      case .putOff(let ticket), .asked(let ticket), .reloading(let ticket): ticket
      }
    }

    /// That of a wish that the loader knows.
    var loadersTicket: UInt32? { isPutOff ? nil : ticket }

    var isPutOff: Bool { if case .putOff = self { true } else { false } }
    var isReload: Bool { if case .reloading = self { true } else { false } }

    /// Takes the wish out of the backlog.
    /// - Parameter expected: the only wish that is meant; nil for whichever it is.
    /// - Returns: its ticket, to be given to the loader; nil if somebody was faster.
    mutating func takeUp(_ expected: UInt32? = nil) -> UInt32? {
      guard case .putOff(let ticket) = self, expected ?? ticket == ticket else { return nil }
      self = .asked(ticket)
      return ticket
    }

    /// Takes an answer.
    /// - Returns: whether the wish still stood.
    mutating func end(_ answered: UInt32) -> Bool {
      guard ticket == answered else { return false }
      self = .none
      return true
    }
  }
}
