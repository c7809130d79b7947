import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct DiskCacheLedgerTests {
  /// Returns a ledger after the first count of its directory, which has one entry of this size.
  private func counted(bytes: Int = 0) -> DiskCacheLedger {
    var ledger = DiskCacheLedger(maxBytes: 100)
    ledger.beginCleaning()
    ledger.set(folder: 3, bytes: bytes, count: 1)
    ledger.endCleaning()
    return ledger
  }

  @Test func `a cleaning is due if the entries were never counted and the caller requires a count`() {
    var ledger = DiskCacheLedger(maxBytes: 100)
    #expect(ledger.takeDueCleaning(countsFirst: false) == false)
    #expect(ledger.takeDueCleaning() == true)
    // Only one caller cleans.
    #expect(ledger.takeDueCleaning() == false)
    ledger.beginCleaning()
    ledger.endCleaning()
    #expect(ledger.takeDueCleaning() == false)
  }

  @Test(arguments: [(100, 0, false), (101, 0, true), (0, 10, false), (0, 11, true), (100, 10, false)])
  func `a cleaning is due if the total exceeds the limit, or after writes of more than a tenth of the limit`(
    bytes: Int, written: Int, isDue: Bool
  ) {
    var ledger = counted(bytes: bytes)
    ledger.wrote(bytes: written)
    #expect(ledger.takeDueCleaning(countsFirst: false) == isDue)
  }

  @Test func `no cleaning is due during another cleaning`() {
    var ledger = counted()
    ledger.beginCleaning()
    ledger.wrote(bytes: 50)
    #expect(ledger.takeDueCleaning() == false)
    ledger.endCleaning()
    #expect(ledger.takeDueCleaning() == true)
  }

  @Test func `a cleaning that leaves too many bytes is repeated only if an entry was stored during the cleaning`() {
    var ledger = counted(bytes: 101)
    ledger.wrote(bytes: 5)
    ledger.beginCleaning()
    ledger.endCleaning()
    #expect(ledger.takeCleaningDueAgain() == false)
    ledger.beginCleaning()
    ledger.wrote(bytes: 5)
    ledger.endCleaning()
    #expect(ledger.takeCleaningDueAgain() == true)
  }

  @Test func `a cleaning is not repeated if little was stored during the cleaning and the total is within the limit`() {
    var ledger = counted(bytes: 50)
    ledger.beginCleaning()
    ledger.wrote(bytes: 5)
    ledger.endCleaning()
    #expect(ledger.takeCleaningDueAgain() == false)
  }

  @Test func `half-written files count toward the total until they are removed, and are subtracted only once`() {
    var ledger = DiskCacheLedger(maxBytes: 100)
    for _ in 0..<2 { ledger.set(folder: 1, bytes: 100, count: 2, leftOver: 50) }
    #expect((ledger.bytes, ledger.count, ledger.leftOver) == (150, 2, 50))
    for _ in 0..<2 {
      ledger.removedLeftOver(folder: 1)
      #expect((ledger.bytes, ledger.count, ledger.leftOver) == (100, 2, 0))
    }
  }
}
