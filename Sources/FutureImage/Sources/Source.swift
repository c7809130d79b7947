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
  ///     FutureImage(.sized(key: "page-3") { pixels in .pixels(try drawing(of: page, in: pixels)) })
  public struct Source: Sendable {
    /// The name of the image in caches and messages. It contains no credentials: those, explicit headers, and the values of query items
    /// that look like tokens appear in it only as digests.
    ///
    /// A key that an app or its feed chose never equals the key of a URL or a file: one that is spelled like one starts with `key ` here.
    public var key: String { id.text }
    let id: SourceKey

    /// Makes the header fields of a request.
    typealias Headers = @Sendable () async throws -> [String: String]

    enum Origin: Sendable {
      case url(URL, headers: [String: String])
      case signed(URL, headers: Headers)
      case file(URL)
      case data(@Sendable () async throws -> Data)
      case sized(SizedSource)
    }
    let origin: Origin

    /// Makes another URL from an expired one and the key, or returns nil if there is none.
    typealias Renewal = @Sendable (URL, String) async throws -> URL?

    /// The properties that few sources have. A class, because a struct cannot contain itself and the other sources reserve no room.
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

    /// The source that is fetched instead on networks to avoid.
    var smaller: Source? { extras?.smaller }
    /// The closure that is called when the URL has expired.
    var renewal: Renewal? { extras?.renewal }
    /// The source that views in dark mode show instead.
    var dark: Source? { extras?.dark }

    /// The lane of the source's fetches: the host of the URL that is requested, also for its redirects and for URLs in its place. Fetches
    /// of one lane share the limit per host. All `data` URLs share one lane. Files and closures have none: a closure may wait for another
    /// image, which must not wait for the closure's slot.
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

    /// The maker of the image's pixels; nil for a source of bytes.
    var sizedSource: SizedSource? {
      if case .sized(let source) = origin { source } else { nil }
    }

    /// Whether loading involves nothing but the network: no code of the app's, no disk, and no smaller image in its place.
    var isPlainRequest: Bool {
      // A renewal runs in a task of its own.
      guard case .url(let url, _) = origin, smaller == nil else { return false }
      return url.scheme?.lowercased() != "data"
    }

    /// An `http`, `https` or `data` URL. Without a key of its own, it is identified by the URL and the given headers.
    ///
    /// A `data` URL longer than 256 KiB is too long to be reduced to a key on the caller's thread. Without a key, each such source gets a
    /// unique one, so two sources of the same URL share nothing, and no disk tier stores the image.
    public static func url(_ url: URL, headers: [String: String] = [:], key: String? = nil) -> Source {
      Source(key: key.map { Self.key(named: $0) } ?? Self.key(of: url, headers), origin: .url(url.absoluteURL, headers: headers))
    }

    private static func key(of url: URL, _ headers: [String: String]) -> String {
      CanonicalURL.isLongData(url) ? "data:\(Scheduling.uniqueName())" : CanonicalURL(url).key(headers: headers)
    }

    /// A URL whose headers are made for each attempt to fetch it, such as a token that expires. The headers cannot be part of the key, so a
    /// key must be given.
    ///
    /// If the server responds with 401 or 403, the headers are made once more; after a 403 they are sent only if they have changed. A
    /// closure that throws, or that takes longer than the loader's `timeout`, fails the attempt, and another attempt may follow. To fail
    /// for good, throw a ``FutureImage/FutureImage/Failure`` that is not transient, such as `.refused("nobody is logged in")`.
    public static func url(_ url: URL, key: String, headers: @escaping @Sendable () async throws -> [String: String]) -> Source {
      Source(key: Self.key(named: key), origin: .signed(url.absoluteURL, headers: headers))
    }

    /// A file. Only this source reads files: a `file` URL that arrived as data is refused.
    public static func file(_ url: URL, key: String? = nil) -> Source {
      Source(key: key.map { Self.key(named: $0) } ?? Self.key(ofFile: CanonicalURL(url)), origin: .file(url))
    }

    private static func key(ofFile url: CanonicalURL) -> String { "file " + url.text }

    /// Encoded bytes that the app has or makes. The closure runs off the main thread when they are needed, and again when they are needed
    /// after they were released.
    ///
    /// An error that it throws fails the image with `.unreadable`, which is not retried. For an error that may pass, throw a transient
    /// ``FutureImage/FutureImage/Failure``, such as `.transport(.offline)`.
    public static func data(key: String, _ load: @escaping @Sendable () async throws -> Data) -> Source {
      Source(key: Self.key(named: key), origin: .data(load))
    }

    /// An existing image, under a key like one that was fetched: transforms, sizes and caches apply, and every future of the key finds it.
    /// It is encoded as PNG off the main thread when its bytes are needed. An entry that a cache has under the key comes first; to replace
    /// it, use ``FutureImage/Loader/set(_:forKey:freshFor:)-(UIImage,_,_)``.
    public static func image(_ image: UIImage, key: String) -> Source {
      .data(key: key) {
        try requireNoFuture(image)
        guard let data = uprightPNG(of: image) else { throw Failure(.unreadable("it has no pixels; make it from an image that has some")) }
        return data
      }
    }

    /// A source that always fails, for text in a feed that names no image. No URL that is ever fetched has its key; no app can choose it.
    static func failing(with failure: Failure) -> Source {
      Source(key: failingPrefix + failure.key, origin: .data { throw failure })
    }

    private static let failingPrefix = "url none:"

    /// Whether the key is that of a text in a feed that names no image. FeedTexts at the same place in several feeds have the same key.
    static func namesNoImage(_ key: String) -> Bool { key.hasPrefix(failingPrefix) }

    /// Returns the key for people to read; for text in a feed that names no image, that text.
    static func name(of key: SourceKey) -> String {
      namesNoImage(key.text) ? String(key.text.dropFirst(failingPrefix.count)) : key.text
    }

    /// Returns the same source with a smaller image for networks that the loader's configuration avoids. That image is loaded and cached
    /// under its own key, which its events name. An `NSCache` or a file that the policy names never gets it. It is shown until the future
    /// is reloaded or created again on another network.
    ///
    /// The choice is made for each future. Futures that share a transfer on such a network, and have no image yet, each show the smaller
    /// image that their own source names. A future whose source names none fails with `.avoidedNetwork`, whatever the others show. On any
    /// other network all get the full image.
    public func onAvoidedNetworks(use smaller: Source) -> Source {
      var source = self
      source.extras = Extras(smaller: smaller, renewal: renewal, dark: dark)
      return source
    }

    /// Returns the same source with another image for views in dark mode. A view shows the image for its traits, and switches when they
    /// change; until the other image has arrived, it goes on showing the current one.
    ///
    /// ```swift
    /// imageView.futureImage = FutureImage(.url(map).inDarkMode(use: .url(darkMap)))
    /// ```
    ///
    /// Nothing is fetched until the future is used, because only then is it known which of the two is needed: a dark view fetches the dark
    /// image, and any other use fetches the first one. `value`, `image`, `phase` and the key refer to the first image, `reload()` and
    /// `cancel()` to the images that were needed, and `progress` to the one that is being fetched. A view's `futureImage`
    /// returns the future as long as either image is shown. While an app is in the background, its views do not switch. Image views,
    /// buttons and other UIKit views switch by themselves; a binding that is not a `UIView` shows the first image.
    ///
    /// Each image is cached under its own key. An `NSCache` or a file that the policy names stores the first one; the dark one is then in
    /// the loader's pool, and its bytes are in memory. The placeholder, the size and the transform of the future apply to both.
    public func inDarkMode(use dark: Source) -> Source {
      var source = self
      source.extras = Extras(smaller: smaller, renewal: renewal, dark: dark)
      return source
    }

    /// Returns the source and its substitutes with a closure that is called when a URL has expired; files and closures stay unchanged.
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
  /// The URL as the app has written it; without one, and if the URL has credentials, the key.
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

  /// A mirror without children: the stored properties contain credentials.
  public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}

extension FutureImage.Failure {
  /// Returns the failure of the source, which sentences name as the app has written it.
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
    // Each part is prefixed with its length, so that no two sets of headers run together to the same text.
    let parts = [credentials] + headers.map { ($0.lowercased(), $1) }.sorted { $0 < $1 }.flatMap { [$0.0, $0.1] }
    let secret = parts.map { "\($0.utf8.count):\($0)" }.joined()
    return name + " " + SHA256.hex(of: Data(secret.utf8)).prefix(32)
  }
}

extension String {
  /// The SHA-256 of the UTF-8. Copies nothing if that is contiguous.
  fileprivate var digest: String {
    let digest = utf8.withContiguousStorageIfAvailable { SHA256.digest(of: UnsafeRawBufferPointer($0)) }
    return (digest ?? SHA256.digest(of: Data(utf8))).hexadecimal()
  }
}
