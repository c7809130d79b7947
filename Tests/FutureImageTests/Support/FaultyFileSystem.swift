import Foundation

@testable import FutureImage

/// The machine's file system, of which a test may let any call fail or do half its work.
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

  /// The calls made so far.
  var calls: [Call] { state.withLock { $0.calls } }

  func fail(_ call: Call, with code: Int32?) {
    state.withLock { $0.faults[call] = code }
  }

  /// Reads and writes move no more than this many bytes at a time.
  func limitTransfers(to bytes: Int) {
    state.withLock { $0.largestTransfer = bytes }
  }

  /// Whether all files are taken to be in memory, as if no disk had to be waited for; they are unless told otherwise.
  func answerAtOnce(_ answers: Bool) {
    state.withLock { $0.answersAtOnce = answers }
  }

  /// From now on it is known at once of each path whether nothing is there.
  func knowMissing() {
    state.withLock { $0.knowsMissing = true }
  }

  /// Runs once, before the next rename.
  func beforeMove(_ action: @escaping @Sendable () -> Void) {
    state.withLock { $0.beforeMove = action }
  }

  /// Runs once, before the next such call.
  func before(_ call: Call, _ action: @escaping @Sendable () -> Void) {
    state.withLock { $0.before[call] = Hook(run: action) }
  }

  /// Lets only one call fail, whichever it is: the one after so many more.
  func failOnce(after calls: Int, with code: Int32) {
    state.withLock { $0.single = (calls, code) }
  }

  /// Whether that call never came; it will not fail any more.
  func takeUnfired() -> Bool {
    state.withLock { state in
      defer { state.single = nil }
      return state.single != nil
    }
  }

  private func enter(_ call: Call, _ path: String) throws(FutureImage.FileFailure) {
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
    // Closed all the same, as the system does when it tells of a failed write here.
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

  func isKnownMissing(_ path: String) -> Bool {
    guard (try? enter(.knowMissing, path)) != nil else { return false }
    return state.withLock { $0.knowsMissing } && (try? real.statusIfPresent(at: path)) == .some(nil)
  }

  func readAtOnce(_ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    guard (try? enter(.readAtOnce, file.path)) != nil else { return nil }
    return try? real.readSome(file, into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(largestTransfer)))
  }
}
