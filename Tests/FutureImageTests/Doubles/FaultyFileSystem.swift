import Foundation

@testable import FutureImage

/// The machine's file system, except that a test can make any call fail, and can limit the bytes of each read and write.
final class FaultyFileSystem: FileSystem {
  enum Call: CaseIterable {
    case open, openNew, status, statusAt, read, write, close, setModified, move, delete, makeDirectory, names
    case openAtOnce, readAtOnce, knowMissing
  }

  private struct State {
    var faults: [Call: Int32] = [:]
    var calls: [Call] = []
    var largestTransfer = Int.max
    var answersAtOnce = true
    var knowsMissing = false
    var beforeMove: (@Sendable () -> Void)?
    var before: [Call: Hook] = [:]
    var single: (left: Int, code: Int32)?
  }

  private struct Hook {
    let run: @Sendable () -> Void
  }

  private let real = POSIXFileSystem()
  private let state = Lock(State())
  private let beforeEach: @Sendable (Call) -> Void

  /// - Parameter beforeEach: runs before each call.
  init(beforeEach: @escaping @Sendable (Call) -> Void = { _ in }) { self.beforeEach = beforeEach }

  /// The calls made so far.
  var calls: [Call] { state.withLock { $0.calls } }

  /// Makes each call of the given kind fail with the error code, or succeed again if the code is nil.
  func fail(_ call: Call, with code: Int32?) {
    state.withLock { $0.faults[call] = code }
  }

  /// Limits each read and write to the given number of bytes.
  func limitTransfers(to bytes: Int) {
    state.withLock { $0.largestTransfer = bytes }
  }

  /// Sets the result of ``answersAtOnce(_:)``, which is true by default.
  func answerAtOnce(_ answers: Bool) {
    state.withLock { $0.answersAtOnce = answers }
  }

  /// Makes ``isKnownMissing(_:)`` return true for every missing file from now on.
  func knowMissing() {
    state.withLock { $0.knowsMissing = true }
  }

  /// Runs the action once, before the next rename.
  func beforeMove(_ action: @escaping @Sendable () -> Void) {
    state.withLock { $0.beforeMove = action }
  }

  /// Runs the action once, before the next call of the given kind.
  func before(_ call: Call, _ action: @escaping @Sendable () -> Void) {
    state.withLock { $0.before[call] = Hook(run: action) }
  }

  /// Lets the given number of calls pass, and then makes one call of any kind fail.
  func failOnce(after calls: Int, with code: Int32) {
    state.withLock { $0.single = (calls, code) }
  }

  /// Returns whether the fault of ``failOnce(after:with:)`` has not occurred yet, and removes that fault.
  func takeUnfired() -> Bool {
    state.withLock { state in
      defer { state.single = nil }
      return state.single != nil
    }
  }

  private func enter(_ call: Call, _ path: String) throws(FutureImage.FileFailure) {
    beforeEach(call)
    let (code, hook) = state.withLock { state -> (Int32?, Hook?) in
      state.calls.append(call)
      var code = state.faults[call]
      if let single = state.single {
        state.single = single.left == 0 ? nil : (single.left - 1, single.code)
        if single.left == 0 { code = single.code }
      }
      return (code, state.before.removeValue(forKey: call))
    }
    hook?.run()
    if let code { throw FutureImage.FileFailure(.system(call: "\(call)", code: code), path: path) }
  }

  private var largestTransfer: Int { state.withLock { $0.largestTransfer } }

  func openForReading(_ path: String) throws(FutureImage.FileFailure) -> OpenFile {
    try enter(.open, path)
    return try real.openForReading(path)
  }

  func openNew(_ path: String) throws(FutureImage.FileFailure) -> OpenFile {
    try enter(.openNew, path)
    return try real.openNew(path)
  }

  func status(of file: OpenFile) throws(FutureImage.FileFailure) -> FileStatus {
    try enter(.status, file.path)
    return try real.status(of: file)
  }

  func status(at path: String) throws(FutureImage.FileFailure) -> FileStatus {
    try enter(.statusAt, path)
    return try real.status(at: path)
  }

  func readSome(_ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer) throws(FutureImage.FileFailure) -> Int {
    try enter(.read, file.path)
    return try real.readSome(file, into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(largestTransfer)))
  }

  func writeSome(_ file: OpenFile, _ bytes: UnsafeRawBufferPointer) throws(FutureImage.FileFailure) -> Int {
    try enter(.write, file.path)
    return try real.writeSome(file, UnsafeRawBufferPointer(rebasing: bytes.prefix(largestTransfer)))
  }

  func closeFile(_ file: OpenFile) throws(FutureImage.FileFailure) {
    // Closes the file anyway, as the system does when `close` reports a failed write.
    try real.closeFile(file)
    try enter(.close, file.path)
  }

  func setModified(_ path: String, _ date: Date) throws(FutureImage.FileFailure) {
    try enter(.setModified, path)
    try real.setModified(path, date)
  }

  func move(_ path: String, to target: String) throws(FutureImage.FileFailure) {
    try enter(.move, target)
    let action = state.withLock { state in
      defer { state.beforeMove = nil }
      return state.beforeMove
    }
    action?()
    try real.move(path, to: target)
  }

  func delete(_ path: String) throws(FutureImage.FileFailure) {
    try enter(.delete, path)
    try real.delete(path)
  }

  func makeDirectory(_ path: String) throws(FutureImage.FileFailure) {
    try enter(.makeDirectory, path)
    try real.makeDirectory(path)
  }

  func names(in directory: String) throws(FutureImage.FileFailure) -> [String] {
    try enter(.names, directory)
    return try real.names(in: directory)
  }

  func answersAtOnce(_ file: OpenFile) -> Bool { state.withLock { $0.answersAtOnce } }

  func openAtOnce(_ path: String) -> OpenFile? {
    guard (try? enter(.openAtOnce, path)) != nil else { return nil }
    return try? real.openForReading(path)
  }

  var knowsMissing: Bool { state.withLock { $0.knowsMissing } }

  func isKnownMissing(_ path: String) -> Bool {
    guard (try? enter(.knowMissing, path)) != nil else { return false }
    return knowsMissing && (try? real.statusIfPresent(at: path)) == .some(nil)
  }

  func readAtOnce(_ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    guard (try? enter(.readAtOnce, file.path)) != nil else { return nil }
    return try? real.readSome(file, into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(largestTransfer)))
  }
}
