import Foundation
import Testing

@testable import FutureImageTesting

@Suite(.timeLimit(.minutes(5))) struct StartFailureTests {
  @Test func `the error of a server that cannot start has the reason and the remedy`() {
    let failure = LoopbackServer.Failure(call: "socket", code: EMFILE)
    #expect(
      failure.description
        == "LoopbackServer cannot start because the system provides no socket. End other servers and try again (socket: Too many open files)."
    )
  }
}
