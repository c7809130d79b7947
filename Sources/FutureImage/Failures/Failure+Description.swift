extension FutureImage.Failure: LocalizedError, CustomStringConvertible {
  /// One short sentence that an app may show to people, without a URL and without words from an app's code.
  public var errorDescription: String? {
    switch reason {
    case .cancelled: "Loading was canceled."
    case .notCached: "The \(noun) is not stored on this device."
    case .status(401), .status(403): "Access to the \(noun) is not permitted."
    case .status(404), .status(410): "The \(noun) does not exist."
    case .status where isTransient: "The server cannot deliver the \(noun) now."
    case .transport(let fault): fault.sentence(noun)
    case .undecodable, .empty: "The \(noun) is damaged."
    case .unsupported: "The \(noun) has a format that cannot be shown."
    case .tooLarge, .tooManyPixels, .outOfMemory: "The \(noun) is too large."
    case .refused, .status, .malformed, .unreadable, .transformFailed: "The \(noun) could not be loaded."
    }
  }

  /// The reason in one sentence for the app's developer, without the source.
  public var failureReason: String? { parts.reason }

  /// The remedy in one sentence, for the developer or the user; nil if the reason has none.
  public var recoverySuggestion: String? { parts.remedy }

  /// The text for a log: the thing that failed, its source, the reason, and the remedy. A long source is shortened in the middle.
  public var description: String { sentence(about: key.isEmpty ? noun : "\(noun) \(Self.shortened(name ?? key))") }

  /// The reason and the remedy: the parts of the sentence before and after the separator.
  private var parts: (reason: String, remedy: String?) {
    let text = unnamed
    guard let separator = text.firstRange(of: "; ") ?? text.firstRange(of: ". ") else { return (text, nil) }
    let remedy = text[separator.upperBound...]
    return (text[..<separator.lowerBound] + ".", remedy.prefix(1).uppercased() + remedy.dropFirst())
  }

  private static let longestSource = 160

  private static func shortened(_ source: String) -> String {
    guard source.count > longestSource else { return source }
    return "\(source.prefix(longestSource * 2 / 3))…\(source.suffix(longestSource / 3))"
  }

  /// The description without the source, for lines that already name it.
  var unnamed: String { sentence(about: noun) }

  private var noun: String {
    switch subject {
    case .image: "image"
    case .value: "value"
    case .sharedLoader: "shared loader"
    }
  }

  private func sentence(about name: String) -> String {
    switch reason {
    case .cancelled: "The \(name) was canceled; request it again to load it."
    case .refused(let why) where subject == .sharedLoader: "The \(name) was not configured: \(why.clause)."
    case .refused(let why): "The \(name) was not requested: \(why.clause(or: "its source is not allowed; check it"))."
    case .notCached: "The \(name) is in no cache, and its cache policy permits no request; request it with another cache policy."
    case .status(let code): sentence(about: name, status: code)
    case .transport(let fault): "The \(name) did not arrive: \(fault.clause)."
    case .malformed(let what):
      "The response for the \(name) is not valid: \(what.clause(or: "it is malformed")). Check what its URL delivers."
    case .empty: "The \(name) is empty: its source sent no bytes. Check the source."
    case .tooLarge(let limit):
      "The \(name) has more than the \(limit) bytes allowed; to allow larger images, raise Loader.Configuration.maxBytes."
    case .unreadable(let what): "The \(name) could not be read: \(what.clause(or: "its source failed; check it"))."
    case .undecodable(let what): "The \(name) cannot be decoded: \(what.clause(or: "its data is broken")). Check what its source delivers."
    case .unsupported(let what):
      "The \(name) is in a format that is not supported here: \(what.clause(or: "the format is unknown")). Deliver it in another format, or add "
        + "a decoder for it."
    case .transformFailed(let what): "The \(name) could not be transformed: \(what.clause(or: "a step failed; check its transform"))."
    case .tooManyPixels(let what):
      "The \(name) is too large to decode: \(what.clause(or: "it has too many pixels; raise the decoder's limits"))."
    case .outOfMemory: "There is not enough memory to decode the \(name); release memory, or request fewer pixels."
    }
  }

  private func sentence(about name: String, status code: Int) -> String {
    switch code {
    case 401, 403: "The server does not permit access to the \(name) (status \(code)); check the header fields of its source."
    case 404, 410: "The \(name) does not exist on the server (status \(code)); check its URL."
    case _ where isTransient: "The server cannot deliver the \(name) now (status \(code)); try again later."
    default: "The server refused to deliver the \(name) (status \(code)); check its URL."
    }
  }

  /// The reason, as a clause that ends a sentence about something else.
  var why: String {
    switch reason {
    case .refused(let text), .malformed(let text), .unreadable(let text), .undecodable(let text), .unsupported(let text),
      .transformFailed(let text), .tooManyPixels(let text):
      text.clause(or: unnamed.clause)
    case .transport(let fault): fault.clause
    case .cancelled, .notCached, .status, .empty, .tooLarge, .outOfMemory: unnamed.clause
    }
  }
}

extension FutureImage.Failure.Transport {
  fileprivate func sentence(_ noun: String) -> String {
    switch self {
    case .hostNotFound: "The server was not found."
    case .connectionRefused: "The server does not answer."
    case .connectionLost, .truncated: "The connection was lost."
    case .timedOut, .stalled: "The server took too long to answer."
    case .untrusted: "The connection to the server is not secure."
    case .offline: "There is no network connection."
    case .avoidedNetwork: "The \(noun) is not loaded over this network."
    case .other: "The network failed."
    }
  }

  fileprivate var clause: String {
    switch self {
    case .hostNotFound: "the server's name was not found; check the URL and the network"
    case .connectionRefused: "the server does not answer; try again later"
    case .connectionLost: "the connection was lost; try again"
    case .timedOut: "the server took too long; try again later"
    case .stalled: "the transfer stalled; try again later"
    case .truncated: "the transfer ended early; try again"
    case .untrusted: "the server's certificate or its version of TLS is not trusted; check the server"
    case .avoidedNetwork: "the app avoids the current network; try again on another network"
    case .offline: "there is no network; try again when the network has returned"
    case .other(let what): what.clause(or: "the network failed; try again later")
    }
  }
}

extension FutureImage.Failure.Reason {
  /// A short text for tables.
  var label: String {
    switch self {
    case .cancelled: "canceled"
    case .refused: "refused"
    case .notCached: "not cached"
    case .status(let code): "status \(code)"
    case .transport(let fault): fault.label
    case .malformed: "invalid response"
    case .empty: "empty"
    case .tooLarge: "too many bytes"
    case .unreadable: "unreadable"
    case .undecodable: "undecodable"
    case .unsupported: "unsupported format"
    case .transformFailed: "transform failed"
    case .tooManyPixels: "too many pixels"
    case .outOfMemory: "out of memory"
    }
  }
}

extension FutureImage.Failure.Transport {
  fileprivate var label: String {
    switch self {
    case .hostNotFound: "server not found"
    case .connectionRefused: "no connection"
    case .connectionLost: "connection lost"
    case .timedOut: "timed out"
    case .stalled: "stalled"
    case .truncated: "truncated"
    case .untrusted: "server not trusted"
    case .offline: "offline"
    case .avoidedNetwork: "network avoided"
    case .other: "network failed"
    }
  }
}
