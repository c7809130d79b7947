import Foundation
import Testing

@testable import FutureImageTesting

@Suite(.timeLimit(.minutes(5))) struct RequestParserTests {
  typealias Parser = LoopbackServer.RequestParser

  @Test func `the parser reads the method, path, query, headers, and connection of a complete request`() throws {
    var parser = Parser(connection: 7)
    parser.append(Data("GET /a%20b?x=1 HTTP/1.1\r\nHost: h\r\nX-Note: \t two words \r\n\r\n"))
    let request = try #require(try parser.next())
    #expect(request.method == "GET")
    #expect(request.path == "/a%20b?x=1")
    #expect(request.barePath == "/a%20b")
    #expect(request.headers["x-note"] == "two words")
    #expect(request.connection == 7)
    #expect(request.keepsAlive)
    #expect(try parser.next() == nil)
  }

  @Test func `the parser reads all pipelined requests that arrive byte by byte, including a request with a body`() throws {
    let bytes = Data("POST /1 HTTP/1.1\r\nContent-Length: 4\r\n\r\nbodyGET /2 HTTP/1.1\r\n\r\n\r\nGET /3 HTTP/1.0\r\n\r\n")
    var parser = Parser()
    var requests: [LoopbackServer.Request] = []
    for byte in bytes {
      parser.append([byte])
      while let request = try parser.next() { requests.append(request) }
    }
    #expect(requests.map(\.path) == ["/1", "/2", "/3"])
    #expect(requests.map(\.body) == [Data("body"), Data(), Data()])
    #expect(parser.pendingByteCount == 0)
  }

  @Test func `the parser reads all requests if their bytes arrive in two pieces, wherever the bytes are split`() throws {
    let bytes = Data("GET /longer HTTP/1.1\r\nHost: test\r\n\r\nPOST /2 HTTP/1.1\r\nContent-Length: 4\r\n\r\nbodyGET /3 HTTP/1.1\r\n\r\n")
    for cut in 0...bytes.count {
      var parser = Parser()
      var paths: [String] = []
      for piece in [bytes.prefix(cut), bytes.dropFirst(cut)] {
        parser.append(piece)
        while let request = try parser.next() { paths.append(request.path) }
      }
      #expect(paths == ["/longer", "/2", "/3"])
    }
  }

  @Test func `the parser reads a target that is a whole URL as the path and query of that URL`() throws {
    var parser = Parser()
    parser.append(Data("GET http://h:1/a?b HTTP/1.1\r\n\r\nGET http://h HTTP/1.1\r\n\r\n"))
    #expect(try parser.next()?.path == "/a?b")
    #expect(try parser.next()?.path == "/")
  }

  @Test(arguments: [
    ("GET / HTTP/1.1\r\nConnection: close\r\n\r\n", false),
    ("GET / HTTP/1.1\r\nConnection: upgrade, Close\r\n\r\n", false),
    ("GET / HTTP/1.0\r\n\r\n", false),
    ("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", true),
    ("GET / HTTP/1.1\r\n\r\n", true)
  ])
  func `the version and the Connection field decide whether the connection stays open`(text: String, staysOpen: Bool) throws {
    var parser = Parser()
    parser.append(Data(text))
    #expect(try parser.next()?.keepsAlive == staysOpen)
  }

  @Test(arguments: [
    ("nonsense\r\n\r\n", Parser.Fault.malformed),
    ("GET /\r\n\r\n", .malformed),
    ("GET / HTTP/2.0\r\n\r\n", .malformed),
    ("GET a HTTP/1.1\r\n\r\n", .malformed),
    (" / HTTP/1.1\r\n\r\n", .malformed),
    ("GET / HTTP/1.1\r\nno colon\r\n\r\n", .malformed),
    ("GET / HTTP/1.1\r\nname : value\r\n\r\n", .malformed),
    ("GET / HTTP/1.1\r\n: value\r\n\r\n", .malformed),
    ("GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", .malformed),
    ("GET / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", .bodyTooLarge),
    ("GET / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n", .bodyTooLarge),
    ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", .unknownCoding)
  ])
  func `the parser throws the fault of an invalid request`(text: String, fault: Parser.Fault) {
    var parser = Parser()
    parser.append(Data(text))
    #expect(throws: fault) { try parser.next() }
  }

  @Test func `the parser reads a head of the maximum length, and throws if a head is one byte longer`() throws {
    let start = "GET / HTTP/1.1\r\nX: "
    let longest = start + String(repeating: "x", count: Parser.headLimit - start.utf8.count - 4) + "\r\n\r\n"
    var parser = Parser()
    parser.append(Data(longest))
    #expect(try parser.next() != nil)

    parser.append(Data(longest.replacing("\r\n\r\n", with: "x\r\n\r\n")))
    #expect(throws: Parser.Fault.headTooLarge) { try parser.next() }

    var endless = Parser()
    endless.append(Data(start + String(repeating: "x", count: Parser.headLimit - start.utf8.count)))
    #expect(try endless.next() == nil)
    endless.append(Data("x"))
    #expect(throws: Parser.Fault.headTooLarge) { try endless.next() }
  }
}
