import Foundation

// Where the socket calls of the platforms differ.

#if canImport(Darwin)

let streamSocketType = SOCK_STREAM

/// Flags of every `send`. Darwin is asked for errors in place of signals once a connection, by an option.
let quietSendFlags: Int32 = 0

/// False if the connection has been reset already: Darwin then refuses the option, and a send would raise the signal.
func forbidSignals(_ descriptor: Int32) -> Bool {
  var on: Int32 = 1
  return setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size)) == 0
}

#elseif canImport(Glibc)

let streamSocketType = Int32(SOCK_STREAM.rawValue)

/// Flags of every `send`: a client that hung up is an error, not a signal.
let quietSendFlags = Int32(MSG_NOSIGNAL)

func forbidSignals(_ descriptor: Int32) -> Bool { true }

#else
#error("LoopbackServer knows the socket calls of Darwin and Glibc; add yours to Platform.swift.")
#endif

/// Makes a new descriptor non-blocking and closed in child processes: a child that had it too would keep a connection open after
/// the server's close. A child started between the two calls gets it; `accept4`, which closes that gap, Swift does not see.
func prepareDescriptor(_ descriptor: Int32) {
  _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
}
