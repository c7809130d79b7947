import Foundation

// The differences between the platforms' socket calls.

#if canImport(Darwin)

let streamSocketType = SOCK_STREAM

/// The flags of every `send`. On Darwin, an option, set once per connection, replaces signals with errors.
let quietSendFlags: Int32 = 0

/// Returns false if the connection has already been reset: Darwin then refuses the option, and a send would raise the signal.
func forbidSignals(_ descriptor: Int32) -> Bool {
  var on: Int32 = 1
  return setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size)) == 0
}

#elseif canImport(Glibc)

let streamSocketType = Int32(SOCK_STREAM.rawValue)

/// The flags of every `send`: a client that hung up causes an error, not a signal.
let quietSendFlags = Int32(MSG_NOSIGNAL)

func forbidSignals(_ descriptor: Int32) -> Bool { true }

#else
#error("LoopbackServer knows the socket calls of Darwin and Glibc; add yours to Platform.swift.")
#endif

/// Makes a new descriptor nonblocking and closed in child processes. A child that inherited it would keep a connection open after the
/// server closes it. A child that starts between the two calls inherits it; `accept4` would close that gap, but Swift does not import it.
func prepareDescriptor(_ descriptor: Int32) {
  _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
}
