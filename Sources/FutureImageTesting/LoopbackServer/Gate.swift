extension LoopbackServer {
  /// A gate that holds answers until a test opens it. A test can wait for arrivals at the gate, so it needs no delay to know that a request
  /// has reached the server.
  ///
  ///     let gate = LoopbackServer.Gate()
  ///     server.answer("/red.jpg", .ok(jpeg).held(by: gate))
  ///     try await gate.waitForArrival()  // the server holds the request
  ///     gate.open()
  ///
  /// Once open, a gate stays open. One gate can hold any number of answers, including answers of several servers.
  public final class Gate: Sendable {
    private struct State {
      var arrivals = 0
      var isOpen = false
      /// The latch that held answers wait for. The first held answer creates it, so a gate that never holds an answer uses no file
      /// descriptors.
      var latch: Latch?
    }

    private let state = Observed(State())

    public init() {}

    /// Releases all held answers. Later answers do not wait.
    public func open() {
      let latch = state.update { state in
        state.isOpen = true
        return state.latch
      }
      latch?.raise()
    }

    /// The number of answers that have reached the gate so far. This includes answers that arrived after the gate was opened, and answers
    /// whose client has hung up.
    public var arrivals: Int { state.read(\.arrivals) }

    /// Returns when `count` answers have reached the gate.
    /// - Throws: ``WaitTimedOut`` when the limit passes first, and `CancellationError`.
    public func waitForArrival(
      count: Int = 1, within limit: WaitLimit = .standard, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
      try await state.wait(LimitedWait(limit, CallSite(fileID, line), "for \(count.of("answer")) at the gate")) {
        $0.arrivals >= count
      } insteadOf: {
        "The gate is \($0.isOpen ? "open" : "closed"). Answers that reached the gate: \($0.arrivals)."
      }
    }

    /// Counts an arrival, and returns the latch to wait for; nil if the gate is open.
    func arrive() throws -> Latch? {
      try state.update { state in
        if !state.isOpen, state.latch == nil { state.latch = try Latch() }
        state.arrivals += 1
        return state.isOpen ? nil : state.latch
      }
    }
  }
}
