/// Returns when the condition holds: for what a test cannot wait for by an event, such as a view model's property.
///
///     try await eventually("the title is there") { model.title == "Red" }
///
/// The condition runs on the caller's actor. It is asked again and again, which leaves the actor to others in between.
/// - Parameters:
///   - what: the condition in words, for the error. It is evaluated when the limit has passed, so it may contain the value of that time.
///   - limit: how long to ask. After it the condition is asked once more.
///   - isolation: the caller's actor, which the condition runs on.
///   - fileID: the file of the error.
///   - line: the line of the error.
///   - condition: what is to become true.
/// - Throws: ``WaitTimedOut`` when the condition does not hold by then, `CancellationError`, and what the condition throws.
public func eventually(
  _ what: @autoclosure () -> String = "the condition holds", within limit: WaitLimit = .standard,
  isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, line: UInt = #line,
  _ condition: () async throws -> Bool
) async throws {
  if try await condition() { return }
  let isOver = Observed(false)
  let alarm = limit.alarm { isOver.update { $0 = true } }
  defer { alarm.cancel() }
  var rounds = 0
  while true {
    // Asked before the condition: it is asked once more when the limit has passed.
    let isLast = isOver.read { $0 }
    if try await condition() { return }
    guard !isLast else {
      throw WaitTimedOut(limit, at: CallSite(fileID, line), for: "until \(what())", insteadOf: "It was asked \(rounds + 2) times.")
    }
    rounds += 1
    // Most of what a test waits for needs a few turns of an actor. What takes longer is not to cost a processor.
    if rounds < 200 { await Task.yield() } else { try await Task.sleep(for: .milliseconds(1)) }
    try Task.checkCancellation()
  }
}
