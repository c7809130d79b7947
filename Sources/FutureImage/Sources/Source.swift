extension FutureImage {
  /// The origin of an image's bytes, and the key that identifies them.
  ///
  /// Futures of one key share one transfer, one decode for each size, and the caches.
  ///
  ///     FutureImage(.url(signedURL, key: "print-\(id)"))
  ///     FutureImage(.url(url, headers: ["Authorization": token]))
  ///     FutureImage(.file(folder.appendingPathComponent("cover.jpg")))
  ///     FutureImage(.data(key: "qr-\(code)") { try await drawing(of: code) })
  ///     FutureImage(.image(camera.photo, key: "draft"))
  ///     FutureImage(.sized(key: "page-3") { pixels in .image(try drawing(of: page, in: pixels)) })
  public struct Source: Sendable {
    /// The name of the image in caches and messages. Instead of credentials, explicit headers, and values of query items that look like
    /// tokens, it contains their digests.
    ///
    /// A key that an app or its feed chose never equals the key of a URL or a file. If the chosen key is spelled like such a key, this
    /// property adds the prefix `key `.
    public var key: String { id.text }
    let id: SourceKey

    /// A closure that makes the header fields of a request.
    typealias Headers = @Sendable () async throws -> [String: String]

    enum Origin: Sendable {
      case url(URL, headers: [String: String])
      case signed(URL, headers: Headers)
      case file(URL)
      case data(@Sendable () async throws -> Data)
      case sized(SizedSource)
    }
    let origin: Origin

    /// A closure that makes another URL from an expired URL and the key, or returns nil if there is no other URL.
    typealias Renewal = @Sendable (URL, String) async throws -> URL?

    /// The properties that few sources have. This is a class, because a struct cannot contain itself, and so that other sources reserve no
    /// room for these properties.
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

    /// The source that is fetched instead of this source on networks that the loader's configuration avoids.
    var smaller: Source? { extras?.smaller }
    /// The closure that is called when the URL has expired.
    var renewal: Renewal? { extras?.renewal }
    /// The source of the image that views in dark mode show instead.
    var dark: Source? { extras?.dark }

    /// The lane of the source's fetches, which is the host of the requested URL. The lane stays the same for redirects and for URLs that
    /// replace the requested URL. Fetches of one lane share the limit per host. All `data` URLs share one lane. Files and closures have no
    /// lane, because a closure may wait for another image, and that image must not wait for the closure's slot.
    package var lane: String? {
      requestedURL.map { CanonicalURL.host(of: $0) }
    }

    /// The URL that is requested; nil for files and closures.
    var requestedURL: URL? {
      switch origin {
      case .url(let url, _), .signed(let url, _): url
      case .file, .data, .sized: nil
      }
    }

    /// Whether the bytes are in a file.
    var isFile: Bool {
      if case .file = origin { true } else { false }
    }

    /// The maker of the image's pixels; nil for a source of bytes.
    var sizedSource: SizedSource? {
      if case .sized(let source) = origin { source } else { nil }
    }

    /// Whether loading involves only the network: no code of the app, no disk, and no smaller image in place of this image.
    var isPlainRequest: Bool {
      // A renewal closure is permitted, although it is code of the app, because it runs in its own task.
      guard case .url(let url, _) = origin, smaller == nil else { return false }
      return url.scheme?.lowercased() != "data"
    }

    /// An `http`, `https` or `data` URL. Without a `key`, the URL and the given headers identify the source.
    ///
    /// A `data` URL longer than 256 KiB is too long to be reduced to a key on the caller's thread. Without a `key`, each such source gets a
    /// unique key, so two sources of the same URL share nothing, and no disk tier stores the image.
    public static func url(_ url: URL, headers: [String: String] = [:], key: String? = nil) -> Source {
      Source(key: key.map { Self.key(named: $0) } ?? Self.key(of: url, headers), origin: .url(url.absoluteURL, headers: headers))
    }

    private static func key(of url: URL, _ headers: [String: String]) -> String {
      CanonicalURL.isLongData(url) ? "data:\(Scheduling.uniqueName())" : CanonicalURL(url).key(headers: headers)
    }

    /// A URL whose headers are made for each attempt to fetch it, such as a header with a token that expires. The headers cannot be part of
    /// the key, so the app must pass a key.
    ///
    /// If the server responds with 401 or 403, the closure makes the headers once more. After a 403, the new headers are sent only if they
    /// differ from the previous headers. If the closure throws, or takes longer than the loader's `timeout`, the attempt fails, and another
    /// attempt may follow. To prevent further attempts, throw a ``FutureImage/FutureImage/Failure`` that is not transient, such as
    /// `.refused("nobody is logged in")`.
    public static func url(_ url: URL, key: String, headers: @escaping @Sendable () async throws -> [String: String]) -> Source {
      Source(key: Self.key(named: key), origin: .signed(url.absoluteURL, headers: headers))
    }

    /// A file. Only this source reads files. A `file` URL that arrives in other data, such as a feed, is refused.
    ///
    /// The loader's disk cache stores no copy of the file, because the file is on a disk already. If the policy names another disk tier,
    /// that tier stores a copy.
    public static func file(_ url: URL, key: String? = nil) -> Source {
      Source(key: key.map { Self.key(named: $0) } ?? Self.key(ofFile: CanonicalURL(url)), origin: .file(url))
    }

    private static func key(ofFile url: CanonicalURL) -> String { "file " + url.text }

    /// Encoded bytes that the app has or makes. The closure runs off the main thread when the bytes are needed. It runs again if the bytes
    /// are needed after they were released.
    ///
    /// If the closure throws an error, the image fails with `.unreadable`, which is not retried. For a temporary error, throw a transient
    /// ``FutureImage/FutureImage/Failure``, such as `.transport(.offline)`.
    public static func data(key: String, _ load: @escaping @Sendable () async throws -> Data) -> Source {
      Source(key: Self.key(named: key), origin: .data(load))
    }

    /// An existing image, which is used like a fetched image under the key. Transforms, sizes, and caches apply, and all futures of the key
    /// share the image. It is encoded as PNG off the main thread when its bytes are needed. If a cache already has an entry under the key,
    /// that entry is used instead. To replace the entry, use ``FutureImage/Loader/set(_:forKey:freshFor:)-(BaseImage,_,_)``.
    public static func image(_ image: BaseImage, key: String) -> Source {
      .data(key: key) {
        try requireNoFuture(image)
        guard let data = uprightPNG(of: image) else { throw Failure(.unreadable("it has no pixels; make it from an image with pixels")) }
        return data
      }
    }

    /// A source that always fails, for text in a feed that names no image. No URL that is ever fetched has the key of such a source, and no
    /// app can choose that key.
    static func failing(with failure: Failure) -> Source {
      Source(key: failingPrefix + failure.key, origin: .data { throw failure })
    }

    private static let failingPrefix = "url none:"

    /// Whether the key is that of a text in a feed that names no image. Equal texts at the same path have the same key, even in several
    /// feeds.
    static func namesNoImage(_ key: String) -> Bool { key.hasPrefix(failingPrefix) }

    /// Returns the name of a key for people to read. For a text in a feed that names no image, this is the text and its path in the
    /// feed. Otherwise, it is the key.
    static func name(of key: SourceKey) -> String {
      namesNoImage(key.text) ? String(key.text.dropFirst(failingPrefix.count)) : key.text
    }

    /// Returns the same source with a smaller image for networks that the loader's configuration avoids. The smaller image is loaded and
    /// cached under its own key, which its events name. It is never stored in an `NSCache` or a file that the policy names. It is shown
    /// until the future is reloaded or created again on another network.
    ///
    /// The loader makes the choice for each future. If futures share a transfer on such a network and have no image yet, each of them shows
    /// the smaller image that its own source names. A future whose source names no smaller image fails with `.avoidedNetwork`, whatever the
    /// other futures show. On any other network, all of these futures get the full image.
    public func onAvoidedNetworks(use smaller: Source) -> Source {
      var source = self
      source.extras = Extras(smaller: smaller, renewal: renewal, dark: dark)
      return source
    }

    /// Returns the same source with another image for views in dark mode. A view shows the image for its traits. When the traits change,
    /// the view shows the current image until the other image has arrived.
    ///
    /// ```swift
    /// imageView.futureImage = FutureImage(.url(map).inDarkMode(use: .url(darkMap)))
    /// ```
    ///
    /// Nothing is fetched until the future is used, because only its use determines which of the two images is needed. A view in dark mode
    /// fetches the dark image, and any other use fetches the first image. `value`, `image`, `phase`, and the key refer to the first image.
    /// `reload()` and `cancel()` affect the images that were needed, and `progress` refers to the image that is being fetched. A view's
    /// `futureImage` returns the future as long as the view shows either image. Views do not switch while the app is in the background.
    /// Image views, buttons and other UIKit views switch by themselves. An object that is not a `UIView` shows the first image, except a
    /// `Subscription` whose `isDark` is true.
    ///
    /// Each image is cached under its own key. An `NSCache` or a file that the policy names stores only the first image. The dark image is
    /// then in the loader's pool, and its bytes are in memory. The placeholder, the size, and the transform of the future apply to both
    /// images.
    public func inDarkMode(use dark: Source) -> Source {
      var source = self
      source.extras = Extras(smaller: smaller, renewal: renewal, dark: dark)
      return source
    }

    /// Returns the same source with a closure that is called when a URL has expired. The smaller and the dark image get the closure, too.
    /// Files and closures stay unchanged.
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
    var url: URL? {
      switch origin {
      case .url(let url, _), .signed(let url, _), .file(let url): URL(string: CanonicalURL(url).text)
      case .data, .sized: nil
      }
    }
  }
}

extension FutureImage.Source: CustomStringConvertible, _Opaque {
  /// The URL as the app has written it. If there is no URL, if the app chose the key, or if the URL is a `data` URL or has credentials,
  /// this is the key instead.
  public var description: String {
    let url: URL
    switch origin {
    case .url(let given, _), .signed(let given, _), .file(let given): url = given
    case .data, .sized: return Self.name(of: id)
    }
    let canonical = CanonicalURL(url)
    let keys = [Self.key(of: canonical, canonical.text), Self.key(ofFile: canonical)]
    let hasKeyOfItsOwn = !keys.contains { id.text == $0 || id.text.hasPrefix($0 + " ") }
    guard !hasKeyOfItsOwn, canonical.scheme != "data", canonical.credentials.isEmpty, canonical.redacted == canonical.text else {
      return Self.name(of: id)
    }
    return url.isFileURL ? url.path(percentEncoded: false) : url.absoluteString
  }
}

extension FutureImage.Failure {
  /// Returns the failure with the source's key, unless the failure already has a key. If the key is that of the source, sentences about the
  /// failure name the source as the app has written it.
  func of(_ source: FutureImage.Source) -> FutureImage.Failure {
    var failure = of(source.key)
    if failure.key == source.key { failure.name = source.description }
    return failure
  }
}

extension CanonicalURL {
  fileprivate func key(headers: [String: String]) -> String {
    let name = FutureImage.Source.key(of: self, scheme == "data" ? "data:" + text.digest : redacted)
    if credentials.isEmpty, headers.isEmpty { return name }
    // Each part is prefixed with its length, so that different sets of headers never produce the same text.
    let parts = [credentials] + headers.map { ($0.lowercased(), $1) }.sorted { $0 < $1 }.flatMap { [$0.0, $0.1] }
    let secret = parts.map { "\($0.utf8.count):\($0)" }.joined()
    return name + " " + SHA256.hex(of: Data(secret.utf8)).prefix(32)
  }
}

extension String {
  /// The SHA-256 digest of the text in UTF-8. The text is not copied if its bytes are contiguous in memory.
  fileprivate var digest: String {
    let digest = utf8.withContiguousStorageIfAvailable { SHA256.digest(of: UnsafeRawBufferPointer($0)) }
    return (digest ?? SHA256.digest(of: Data(utf8))).hexadecimal()
  }
}
