import Foundation

// The differences between the platforms' socket calls.

#if canImport(Darwin)

let streamSocketType = SOCK_STREAM

/// The flags of every `send`. Darwin needs no flags, because an option that is set once per connection replaces signals with errors.
let quietSendFlags: Int32 = 0

/// Replaces the connection's signals with errors. Returns false if the connection has already been reset, because Darwin then refuses the
/// option, and a send would raise the signal.
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

/// The flags of every `send`. With them, a client that hung up causes an error instead of a signal.
let quietSendFlags = Int32(MSG_NOSIGNAL)

func forbidSignals(_ descriptor: Int32) -> Bool { true }

#else
#error("LoopbackServer supports only Darwin, Glibc, Musl, and Bionic. Add the socket calls of this platform to Platform.swift.")
#endif

/// Makes a new descriptor nonblocking, and makes child processes close it when they start a program. A child process that inherits the
/// descriptor would keep a connection open after the server closes it. A child process that starts before the second call still inherits
/// it. `accept4` would close that gap, but Swift does not import it.
func prepareDescriptor(_ descriptor: Int32) {
  _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
}
