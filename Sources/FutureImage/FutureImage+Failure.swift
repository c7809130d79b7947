extension FutureImage {
  /// Why a picture did not come: what failed, for which source, and the fault beneath it, if there was one.
  ///
  /// `localizedDescription` says what failed, why, and what to do. Credentials of a URL never appear in it.
  public struct Failure: Error, Sendable {
    /// What failed.
    public enum Reason: Sendable, Hashable {
      /// `cancel()` was called, or the task that waited was cancelled.
      case cancelled
      /// The URL may not be fetched: its scheme or place is not allowed, or it has no host.
      case refused(String)
      /// The picture is in no cache, and the future's policy is ``FutureImage/FutureImage/CachePolicy/onlyFromCache``.
      case notCached
      /// The server sent a status that is no picture.
      case status(Int)
      /// The network failed before the whole picture was there.
      case transport(Transport)
      /// The server broke the protocol: a redirect without a target or in a loop, a malformed answer.
      case malformed(String)
      /// The body is empty.
      case empty
      /// The body has more bytes than the loader's ``FutureImage/Loader/Configuration/maxBytes``.
      case tooLarge(limit: Int)
      /// The header fields of the response have more bytes than the loader's ``FutureImage/Loader/Configuration/maxHeaderBytes``.
      case headersTooLarge(limit: Int)
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
      /// There is not enough memory to decode the picture.
      case outOfMemory
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

    /// The thing that failed, for the description.
    enum Subject {
      case picture
      /// The value of a `Cache`, which need not be a picture.
      case value
      case sharedLoader
    }

    /// What failed, to be switched over.
    public let reason: Reason
    /// The source's key, without credentials; empty where the failure is told before a source is known.
    public internal(set) var source: String
    /// The fault that caused this one.
    public let underlying: (any Error)?
    /// How long the server asks to be left alone.
    public let retryAfter: Duration?

    var subject = Subject.picture

    /// For fetchers, decoders and closures of an app's own. The loader adds the source.
    ///
    /// A reason's text is the end of a sentence, without a period, and follows a colon: "its header is broken". It may go on with what to
    /// do: "nobody is logged in; log in and try again".
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

    func about(_ subject: Subject) -> Failure {
      var failure = self
      failure.subject = subject
      return failure
    }
  }
}

extension FutureImage.Failure: Equatable {
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.reason == rhs.reason && lhs.source == rhs.source }
}
