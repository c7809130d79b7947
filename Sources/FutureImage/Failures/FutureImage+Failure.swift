extension FutureImage {
  /// The reason why an image did not load: what failed, for which source, and the underlying fault, if there is one.
  ///
  /// `localizedDescription` is a short sentence for people. ``failureReason`` and ``recoverySuggestion`` are for the app's developer.
  /// ``description`` is for a log, and states what failed, for which source, why, and what to do. None of these texts contains the
  /// credentials of a URL.
  public struct Failure: Error, Sendable {
    /// The cause of a failure.
    public enum Reason: Sendable, Hashable {
      /// `cancel()` was called, or the waiting task was canceled.
      case cancelled
      /// The URL must not be fetched, because its scheme or location is not allowed, or because it has no host.
      case refused(String)
      /// The image is in no cache, and the future's policy is ``FutureImage/FutureImage/CachePolicy/onlyFromCache``.
      case notCached
      /// The server responded with a status that carries no image.
      case status(Int)
      /// The network failed before the whole image arrived.
      case transport(Transport)
      /// The server violated the protocol by a redirect without a target, a loop of redirects, more than 64 KiB of header fields, or a
      /// malformed response. For a `data:` URL, the URL cannot be decoded.
      case malformed(String)
      /// The body is empty.
      case empty
      /// The body has more bytes than the loader's ``FutureImage/Loader/Configuration/maxBytes``.
      case tooLarge(limit: Int)
      /// The file or closure that provides the bytes failed.
      case unreadable(String)
      /// The bytes are not an image, or the image is broken.
      case undecodable(String)
      /// The bytes are an image in a format that no decoder supports.
      case unsupported(String)
      /// A step of the future's transform failed.
      case transformFailed(String)
      /// The image declares more pixels than are allowed.
      case tooManyPixels(String)
      /// There is not enough memory to decode the image.
      case outOfMemory
    }

    /// Network faults.
    public enum Transport: Sendable, Hashable {
      /// The server's name was not found.
      case hostNotFound
      /// The server accepts no connections, or cannot be reached.
      case connectionRefused
      /// The connection broke before all bytes arrived.
      case connectionLost
      /// The whole attempt took longer than the loader's `timeout`, or no connection was established.
      case timedOut
      /// No byte arrived during the loader's `stallTimeout`.
      case stalled
      /// The body ended before its declared length, or before the end of its content coding.
      case truncated
      /// The server's certificate is not trusted, or no version of TLS is secure enough for both sides. This fault is not retried.
      case untrusted
      /// There is no network.
      case offline
      /// The loader's configuration avoids the only available network.
      case avoidedNetwork
      /// Another fault, in the words of the underlying error.
      case other(String)
    }

    /// The thing that failed, for the description.
    package enum Subject {
      case image
      /// The value of a `Cache`, which need not be an image.
      case value
      case sharedLoader
    }

    /// The cause, for use in a `switch`.
    public let reason: Reason
    /// The source's key, without credentials; empty if the failure occurs before a source is known.
    public internal(set) var key: String
    /// The source's name in sentences; nil if the key is the name.
    var name: String?
    /// The error that caused this failure.
    public let underlying: (any Error)?
    /// The delay that the server requests before a retry.
    public let retryAfter: Duration?

    var subject = Subject.image

    /// Creates a failure for use in an app's own fetcher, decoder, or closure. The loader adds the source.
    ///
    /// The text of a reason completes a sentence, after a colon and without a period, such as "its header is broken". It may continue with
    /// a remedy, such as "nobody is logged in; log in and try again".
    public init(_ reason: Reason, key: String = "", underlying: (any Error)? = nil, retryAfter: Duration? = nil) {
      self.reason = reason
      self.key = key
      self.underlying = underlying
      self.retryAfter = retryAfter
    }

    /// Whether the same request may succeed a little later.
    public var isTransient: Bool {
      switch reason {
      case .status(let code): code == 408 || code == 429 || (500...599).contains(code)
      case .transport(let fault): fault != .untrusted
      default: false
      }
    }

    var isCancelled: Bool { reason == .cancelled }

    /// Returns this failure with the given key. If this failure already has a key, returns it unchanged.
    package func of(_ key: String) -> Failure {
      var failure = self
      if failure.key.isEmpty { failure.key = key }
      return failure
    }

    /// Returns this failure as the failure of another subject.
    package func about(_ subject: Subject) -> Failure {
      var failure = self
      failure.subject = subject
      return failure
    }
  }
}

extension FutureImage.Failure: Equatable {
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.reason == rhs.reason && lhs.key == rhs.key }
}
