import Foundation
import Testing

@testable import FutureImageTesting

@Suite(.timeLimit(.minutes(5))) struct StartFailureTests {
  @Test func `a server that cannot start says why, and what to do`() {
    let failure = LoopbackServer.Failure(call: "socket", code: EMFILE)
    #expect(
      failure.description
        == "LoopbackServer cannot start: the system gave it no socket. End other servers and try again (socket: Too many open files).")
  }
}
