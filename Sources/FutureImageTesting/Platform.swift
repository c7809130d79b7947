import Foundation

// The differences between the platforms' socket calls.

#if canImport(Darwin)

let streamSocketType = SOCK_STREAM

/// The flags of every `send`. Darwin needs no flags, because ``forbidSignals(_:)`` is called once for each connection.
let quietSendFlags: Int32 = 0

/// Makes a `send` fail with an error, instead of raising `SIGPIPE`, if the client has closed the connection. Returns false if the
/// connection has already been reset. Darwin then refuses the option, so a `send` would raise the signal.
func forbidSignals(_ descriptor: Int32) -> Bool {
  var on: Int32 = 1
  return setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size)) == 0
}

#elseif canImport(Glibc) || canImport(Musl) || canImport(Android) || canImport(Bionic)

#if canImport(Glibc)
let streamSocketType = Int32(SOCK_STREAM.rawValue)
#else
let streamSocketType = SOCK_STREAM
#endif

/// The flags of every `send`. They make a `send` fail with an error, instead of raising `SIGPIPE`, if the client has closed the connection.
let quietSendFlags = Int32(MSG_NOSIGNAL)

func forbidSignals(_ descriptor: Int32) -> Bool { true }

#else
#error("LoopbackServer supports only Darwin, Glibc, Musl, and Bionic. Add the socket calls of this platform to Platform.swift.")
#endif

/// Makes a new descriptor nonblocking, and makes child processes close it when they start a program. Otherwise, a child process that
/// inherits the descriptor would keep the connection open after the server has closed it. A child process that starts before the second
/// `fcntl` still inherits the descriptor. `accept4` would set both flags at once, but Swift does not import that function.
func prepareDescriptor(_ descriptor: Int32) {
  _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
}
