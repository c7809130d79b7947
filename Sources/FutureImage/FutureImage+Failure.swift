extension FutureImage {
  /// Why a picture did not come: what failed, for which source, and the fault beneath it, if there was one.
  ///
  /// `localizedDescription` is one sentence that says what failed and what to do. Credentials of a URL never appear in it.
  public struct Failure: Error, Sendable {
    /// What failed.
    public enum Reason: Sendable, Hashable {
      /// `cancel()` was called, or the task that waited was cancelled.
      case cancelled
      /// The URL may not be fetched: its scheme or place is not allowed, or it has no host.
      case refused(String)
      /// The server sent a status that is no picture.
      case status(Int)
      /// The network failed before the whole picture was there.
      case transport(Transport)
      /// The server broke the protocol: a redirect without a target or in a loop, a malformed answer.
      case malformed(String)
      /// The body is empty.
      case empty
      /// The body, or its headers, exceed this many bytes.
      case tooLarge(limit: Int)
      /// The file or the closure that was to give the bytes failed.
      case unreadable(String)
      /// The bytes are no picture, or one that is broken.
      case undecodable(String)
      /// The bytes are a picture in a format that no decoder here reads.
      case unsupported(String)
      /// A step of the future's transform failed.
      case transformFailed(String)
      /// The picture declares more pixels than are allowed.
      case tooManyPixels(String)
    }

    /// Faults of the network.
    public enum Transport: Sendable, Hashable {
      /// The server's name is not known.
      case hostNotFound
      /// Nobody listens there, or there is no way to it.
      case connectionRefused
      /// The connection broke while bytes were to come.
      case connectionLost
      /// The whole took longer than the loader's `timeout`, or no connection came about.
      case timedOut
      /// No byte came for the loader's `stallTimeout`.
      case stalled
      /// The body ended before its declared length, or before its content coding did.
      case truncated
      /// The server's certificate is not trusted, or no version of TLS is secure enough for both sides. Not tried again.
      case untrusted
      /// There is no network.
      case offline
      /// There is only a network that the loader's configuration keeps pictures off.
      case avoidedNetwork
      /// Another fault, in the words of what is beneath.
      case other(String)
    }

    /// What failed, to be switched over.
    public let reason: Reason
    /// The source's key, without credentials; empty where the failure is told before a source is known.
    public internal(set) var source: String
    /// The fault that caused this one.
    public let underlying: (any Error)?
    /// How long the server asks to be left alone.
    public let retryAfter: Duration?

    /// For fetchers, decoders and closures of an app's own. The loader adds the source.
    public init(_ reason: Reason, source: String = "", underlying: (any Error)? = nil, retryAfter: Duration? = nil) {
      self.reason = reason
      self.source = source
      self.underlying = underlying
      self.retryAfter = retryAfter
    }

    /// Whether the same request may well succeed a little later.
    public var isTransient: Bool {
      switch reason {
      case .status(let code): code == 408 || code == 429 || (500...599).contains(code)
      case .transport(let fault): fault != .untrusted
      default: false
      }
    }

    var isCancelled: Bool { reason == .cancelled }

    func of(_ source: String) -> Failure {
      var failure = self
      if failure.source.isEmpty { failure.source = source }
      return failure
    }
  }
}

extension FutureImage.Failure: Equatable {
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.reason == rhs.reason && lhs.source == rhs.source }
}

extension FutureImage.Failure: LocalizedError, CustomStringConvertible {
  public var errorDescription: String? { description }

  public var description: String {
    let name = source.isEmpty ? "The picture" : "The picture \(source)"
    return switch reason {
    case .cancelled: "\(name) was cancelled; show or ask for it again to load it."
    case .refused(let why): "\(name) was not requested: \(why)."
    case .status(401), .status(403): "\(name) needs permission; check the headers that its source sends."
    case .status(404), .status(410): "\(name) does not exist on the server; check its URL."
    case .status(let code) where isTransient: "The server cannot give \(name) now (status \(code)); try again later."
    case .status(let code): "The server refused \(name) (status \(code)); check its URL."
    case .transport(let fault): "\(name) did not arrive: \(fault.sentence)."
    case .malformed(let what): "The server's answer for \(name) makes no sense: \(what)."
    case .empty: "The server sent nothing for \(name); check its URL."
    case .tooLarge(let limit): "\(name) is larger than the \(limit) bytes allowed; raise the loader's limit if that is right."
    case .unreadable(let what): "\(name) could not be read: \(what)."
    case .undecodable(let what): "\(name) is not a picture that can be read: \(what)."
    case .unsupported(let what): "\(name) has a format that is not supported here: \(what)."
    case .transformFailed(let what): "\(name) could not be transformed: \(what)."
    case .tooManyPixels(let what): "\(name) declares too many pixels: \(what)."
    }
  }
}

extension FutureImage.Failure.Transport {
  fileprivate var sentence: String {
    switch self {
    case .hostNotFound: "the server's name was not found; check the URL and the network"
    case .connectionRefused: "the server does not answer; try again later"
    case .connectionLost: "the connection was lost; try again"
    case .timedOut: "the server took too long; try again later"
    case .stalled: "the transfer stood still; try again later"
    case .truncated: "the transfer ended early; try again"
    case .untrusted: "the server's certificate or its version of TLS is not trusted; check the server"
    case .avoidedNetwork: "this network is to be spared; try again on another"
    case .offline: "there is no network; try again when there is"
    case .other(let what): what
    }
  }
}
