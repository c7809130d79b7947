extension FutureImage {
  /// Where a picture's bytes come from, and the key under which they are known.
  ///
  /// Futures of one key share one transfer, one decode for each size, and the caches.
  ///
  ///     FutureImage(.url(signedURL, key: "print-\(id)"))
  ///     FutureImage(.url(url, headers: ["Authorization": token]))
  ///     FutureImage(.file(folder.appendingPathComponent("cover.jpg")))
  ///     FutureImage(.data(key: "qr-\(code)") { try await drawing(of: code) })
  ///     FutureImage(.image(camera.photo, key: "draft"))
  ///     FutureImage(.sized(key: "page-3") { pixels in .pixels(try drawing(of: page, in: pixels)) })
  public struct Source: Sendable {
    /// Names the picture in caches and messages. Without credentials: those, explicit headers and the values of query items that look like
    /// tokens stand in it as digests.
    ///
    /// A key that an app or its feed chose never is that of a URL or a file: one that is spelled like one has `key ` in front here.
    public var key: String { id.text }
    let id: SourceKey

    /// Makes the header fields of a request.
    public typealias Headers = @Sendable () async throws -> [String: String]

    enum Origin: Sendable {
      case url(URL, headers: [String: String])
      case signed(URL, headers: Headers)
      case file(URL)
      case data(@Sendable () async throws -> Data)
      case sized(SizedSource)
    }
    let origin: Origin

    /// Makes another URL in place of one that has expired, given that and the key; nil if there is none.
    typealias Renewal = @Sendable (URL, String) async throws -> URL?

    /// What few sources have. An object, since a struct cannot hold itself, and the others have no room for it.
    private final class Extras: Sendable {
      let smaller: Source?
      let renewal: Renewal?
      let dark: Source?

      init(smaller: Source?, renewal: Renewal?, dark: Source?) {
        self.smaller = smaller
        self.renewal = renewal
        self.dark = dark
      }
    }
    private var extras: Extras?

    /// What is fetched instead where the network is to be spared.
    var smaller: Source? { extras?.smaller }
    /// What is asked where the URL has expired.
    var renewal: Renewal? { extras?.renewal }
    /// What views in dark mode show instead.
    var dark: Source? { extras?.dark }

    /// Jobs of one lane share the limit per host. Files and closures have none: a closure may wait for another picture, which must not
    /// wait for its slot.
    var lane: String? {
      requestedURL.map { CanonicalURL.host(of: $0) }
    }

    /// The URL that is requested; nil for files and closures.
    var requestedURL: URL? {
      switch origin {
      case .url(let url, _), .signed(let url, _): url
      case .file, .data, .sized: nil
      }
    }

    /// The maker of the picture's pixels; nil for a source of bytes.
    var sizedSource: SizedSource? {
      if case .sized(let source) = origin { source } else { nil }
    }

    /// Nothing but the network has anything to do with it: no code of the app's, no disk, and no smaller picture in its place.
    var isPlainRequest: Bool {
      // A renewal runs in a task of its own.
      guard case .url(let url, _) = origin, smaller == nil else { return false }
      return url.scheme?.lowercased() != "data"
    }

    /// An `http`, `https` or `data` URL. Without a key of its own, it is known by the URL and the headers given.
    ///
    /// A `data` URL longer than 256 KiB is too long to be reduced to a key on the caller's thread: without a key each source has one of
    /// its own, so two sources of the same URL share nothing, and no disk tier stores the picture.
    public static func url(_ url: URL, headers: [String: String] = [:], key: String? = nil) -> Source {
      Source(key: key.map { Self.key(named: $0) } ?? Self.key(of: url, headers), origin: .url(url.absoluteURL, headers: headers))
    }

    private static func key(of url: URL, _ headers: [String: String]) -> String {
      CanonicalURL.isLongData(url) ? "data:\(Scheduling.uniqueName())" : CanonicalURL(url).key(headers: headers)
    }

    /// A URL whose headers are made for each attempt to fetch it, such as a token that ages. They cannot be part of the key, so it must be
    /// given.
    ///
    /// They are made once more if the server then answers 401, or 403, after which they are sent only if they are others. A closure that
    /// throws fails the attempt, and another one may follow; so does one that takes longer than the loader's `timeout`. To end it for good,
    /// throw a ``FutureImage/FutureImage/Failure`` that is not transient, such as `.refused("nobody is logged in")`.
    public static func url(_ url: URL, key: String, headers: @escaping Headers) -> Source {
      Source(key: Self.key(named: key), origin: .signed(url.absoluteURL, headers: headers))
    }

    /// A file. Only this asks for files: a `file` URL that came in as data is refused.
    public static func file(_ url: URL, key: String? = nil) -> Source {
      Source(key: key.map { Self.key(named: $0) } ?? "file " + CanonicalURL(url).text, origin: .file(url))
    }

    /// Encoded bytes that the app has or makes. The closure runs when they are needed, off the main thread, and again when they were let
    /// go and are needed once more.
    ///
    /// An error that it throws fails the image with `.unreadable`, which is not retried. For a fault that may pass, throw a
    /// ``FutureImage/FutureImage/Failure`` that is transient, such as `.transport(.offline)`.
    public static func data(key: String, _ load: @escaping @Sendable () async throws -> Data) -> Source {
      Source(key: Self.key(named: key), origin: .data(load))
    }

    /// A picture at hand, under a key like one that was fetched: transforms, sizes and caches apply, and every future of the key finds it.
    /// It is encoded as PNG when its bytes are needed, off the main thread. What a cache has under the key comes first: to take its place
    /// is for ``FutureImage/Loader/set(_:forKey:)``.
    public static func image(_ image: UIImage, key: String) -> Source {
      .data(key: key) {
        guard let data = uprightPNG(of: image) else { throw Failure(.unreadable("it has no pixels; make it from an image that has some")) }
        return data
      }
    }

    /// A source that fails for good: a text of a feed that names no picture. Its key is that of no URL which is ever fetched, and no app
    /// can choose it.
    static func failing(with failure: Failure) -> Source {
      Source(key: failingPrefix + failure.source, origin: .data { throw failure })
    }

    private static let failingPrefix = "url none:"

    /// The key for people to read: for a text of a feed that names no picture, that text.
    var name: String { key.hasPrefix(Self.failingPrefix) ? String(key.dropFirst(Self.failingPrefix.count)) : key }

    /// The same source with a smaller picture for networks that the loader's configuration avoids. It is cached under its own key, and
    /// shown until the future is reloaded or made anew on another network.
    ///
    /// This is decided for each future. Of those that share a transfer on such a network, each is shown the smaller picture that its own
    /// source names; one that names none fails with `.avoidedNetwork`, whatever others are shown. On any other network all get the full one.
    public func onAvoidedNetworks(use smaller: Source) -> Source {
      var source = self
      source.extras = Extras(smaller: smaller, renewal: renewal, dark: dark)
      return source
    }

    /// The same source with another picture for views in dark mode. A view shows the one for its traits, and changes to the other when they
    /// change; until that has come it goes on with the one that it shows.
    ///
    /// ```swift
    /// imageView.futureImage = FutureImage(.url(map).inDarkMode(use: .url(darkMap)))
    /// ```
    ///
    /// Nothing is fetched until the future is used, since only then it is known which of both is needed: a view that is dark has the dark one
    /// fetched, and everything else the first one, which `value`, `image`, `phase` and the key are about. `reload()` and `cancel()` are about
    /// those that were needed, `progress` and `bytesReceived` about the one that is being fetched. A view's `futureImage` is read as long as
    /// either picture is shown. While an app is in the background its views change nothing. Image views, buttons and other views of UIKit change by themselves; a binding that is no `UIView` shows the
    /// first picture.
    ///
    /// Each is cached under its own key. An `NSCache` or a file that the policy names holds the first one; the dark one is then in the loader's
    /// pool, and its bytes in the future. The placeholder, the size, and the transform are those of the future for both.
    public func inDarkMode(use dark: Source) -> Source {
      var source = self
      source.extras = Extras(smaller: smaller, renewal: renewal, dark: dark)
      return source
    }

    /// The same source, and those that stand for it, with what is asked when a URL has expired; files and closures as they are.
    func renewing(by renewal: @escaping Renewal) -> Source {
      let dark = dark?.renewing(by: renewal)
      switch origin {
      case .file, .data, .sized: return dark.map { inDarkMode(use: $0) } ?? self
      case .url, .signed: break
      }
      var source = self
      source.extras = Extras(smaller: smaller?.renewing(by: renewal), renewal: renewal, dark: dark)
      return source
    }

    init(key: String, origin: Origin) {
      id = SourceKey(key)
      self.origin = origin
    }

    /// The URL, in its canonical spelling and without credentials; nil for a closure.
    public var url: URL? {
      switch origin {
      case .url(let url, _), .signed(let url, _), .file(let url): URL(string: CanonicalURL(url).text)
      case .data, .sized: nil
      }
    }
  }
}

extension FutureImage.Source: CustomStringConvertible, CustomReflectable {
  /// The key, without credentials.
  public var description: String { name }

  /// A mirror without children: the stored properties contain credentials.
  public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}

extension CanonicalURL {
  fileprivate func key(headers: [String: String]) -> String {
    let name = FutureImage.Source.key(of: self, scheme == "data" ? "data:" + text.digest : redacted)
    if credentials.isEmpty, headers.isEmpty { return name }
    // Each part with its length, so that no two sets of headers run together to the same text.
    let parts = [credentials] + headers.map { ($0.lowercased(), $1) }.sorted { $0 < $1 }.flatMap { [$0.0, $0.1] }
    let secret = parts.map { "\($0.utf8.count):\($0)" }.joined()
    return name + " " + SHA256.hex(of: Data(secret.utf8)).prefix(32)
  }
}

extension String {
  /// The SHA-256 of the UTF-8, without a copy where it is contiguous.
  fileprivate var digest: String {
    let digest = utf8.withContiguousStorageIfAvailable { SHA256.digest(of: UnsafeRawBufferPointer($0)) }
    return (digest ?? SHA256.digest(of: Data(utf8))).hexadecimal()
  }
}
