#if !canImport(CoreGraphics)
import Foundation

@testable import FutureImage

/// An https server that supports only HTTP/2. A closure handles each connection frame by frame. A Python program decrypts the bytes of the
/// client, and forwards them to a ``RawServer``.
final class HTTP2Server {
  static let isInstalled = FileManager.default.isExecutableFile(atPath: python) && TestAuthority.isInstalled

  private static let python = "/usr/bin/python3"

  let url: URL
  let authority: TestAuthority
  private let server: RawServer
  private let folder: URL
  private let process = Process()

  /// - Parameter play: runs on a separate thread for each connection, after the preface of the client. The connection closes when this
  ///   closure returns.
  init(_ play: @escaping @Sendable (HTTP2Connection) -> Void) throws {
    folder = URL.temporaryDirectory.appending(path: "HTTP2Server-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    authority = try TestAuthority(in: folder)
    server = try RawServer { connection in
      // RFC 9113, section 3.4: the preface of a client looks like a request that no HTTP/1 server accepts.
      guard connection.readHead()?.hasPrefix("PRI * HTTP/2.0") == true, connection.readHead() == "SM\r\n\r\n" else { return }
      let connection = HTTP2Connection(connection)
      connection.send(.settings)
      play(connection)
    }
    let output = Pipe()
    let paths = [authority.certificate, authority.key].map { $0.path(percentEncoded: false) }
    process.executableURL = URL(filePath: Self.python)
    process.arguments = ["-c", Self.front] + paths + ["\(server.url.port ?? 0)"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let port = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).prefix { $0.isNumber }
    guard !port.isEmpty, let url = URL(string: "https://127.0.0.1:\(port)/") else { throw Program.Failure(program: Self.python, status: 1) }
    self.url = url
  }

  deinit {
    // The process blocks SIGTERM, because it has the signal mask of the thread that started it.
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    try? FileManager.default.removeItem(at: folder)
  }

  var connectionCount: Int { server.connectionCount }

  /// A Python program that accepts only connections with HTTP/2. It forwards the decrypted bytes in both directions.
  private static let front = """
    import socket, ssl, sys, threading
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    context.set_alpn_protocols(["h2"])
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)
    print(listener.getsockname()[1], flush=True)

    def serve(plain):
        try:
            with context.wrap_socket(plain, server_side=True) as client:
                if client.selected_alpn_protocol() != "h2":
                    return
                with socket.create_connection(("127.0.0.1", int(sys.argv[3]))) as server:
                    threading.Thread(target=copy, args=(server, client), daemon=True).start()
                    copy(client, server)
        except OSError:
            pass

    def copy(source, target):
        try:
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
    """
}

/// One connection of an ``HTTP2Server``.
struct HTTP2Connection: Sendable {
  /// A frame (RFC 9113, section 4.1).
  struct Frame {
    var type: UInt8
    var flags: UInt8 = 0
    var stream = 0
    var payload: [UInt8] = []

    static let settings = Frame(type: 4)

    /// Returns a frame that announces the end of the connection, and the last stream that the server handles.
    static func goAway(lastStream: Int) -> Frame { Frame(type: 7, payload: bytes(lastStream, 4) + [0, 0, 0, 0]) }

    static func data(_ bytes: some Sequence<UInt8>, _ stream: Int, isLast: Bool) -> Frame {
      Frame(type: 0, flags: isLast ? 1 : 0, stream: stream, payload: Array(bytes))
    }

    fileprivate static func bytes(_ number: Int, _ count: Int) -> [UInt8] {
      (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
  }

  private static let frameSize = 16_384
  private let connection: RawConnection

  fileprivate init(_ connection: RawConnection) {
    self.connection = connection
  }

  var number: Int { connection.number }

  func send(_ frame: Frame) {
    connection.write(
      Frame.bytes(frame.payload.count, 3) + [frame.type, frame.flags] + Frame.bytes(frame.stream, 4) + frame.payload)
  }

  /// Waits for the next request.
  /// - Returns: the stream of the request; nil if the client closes the connection.
  func readRequest() -> Int? {
    while let header = connection.read(9), let payload = connection.read(header.prefix(3).reduce(0) { $0 << 8 | Int($1) }) {
      let stream = header[5...].reduce(0) { $0 << 8 | Int($1) }
      // A frame of type 1 has the fields of a request.
      if header[3] == 1 { return stream }
      // The server acknowledges settings (type 4) and pings (type 6).
      let isPing = header[3] == 6
      if isPing || header[3] == 4, header[4] & 1 == 0 { send(Frame(type: header[3], flags: 1, payload: isPing ? payload : [])) }
    }
    return nil
  }

  /// Answers the request of the stream with status 200.
  func answer(_ stream: Int, _ body: some Collection<UInt8>, fields: [(name: String, value: String)] = []) {
    // RFC 7541: the status is entry 8 of the static table. Each field is a literal that is not added to a table.
    var block: [UInt8] = [0x88]
    for field in fields { block += [0] + Self.literal(field.name) + Self.literal(field.value) }
    // The fields are sent in one frame of type 1, and in frames of type 9 that continue it. The last of these frames has the flag 4.
    var type: UInt8 = 1
    repeat {
      let part = block.prefix(Self.frameSize)
      block.removeFirst(part.count)
      send(Frame(type: type, flags: block.isEmpty ? 4 : 0, stream: stream, payload: Array(part)))
      type = 9
    } while !block.isEmpty
    send(.data(body, stream, isLast: true))
  }

  /// Returns the text as a string literal without Huffman coding (RFC 7541, section 5.2).
  private static func literal(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    guard bytes.count >= 127 else { return [UInt8(bytes.count)] + bytes }
    var (length, rest): ([UInt8], Int) = ([127], bytes.count - 127)
    while rest >= 128 {
      length.append(UInt8(rest & 127 | 128))
      rest >>= 7
    }
    return length + [UInt8(rest)] + bytes
  }
}
#endif
