extension FutureImage {
  /// The context of the texts of one wrapped property.
  struct Feed {
    let loader: Loader
    let fields: SiblingFields
    /// The property's coding path.
    let codingPath: [any CodingKey]
  }
}

extension FutureImage.Feed {
  /// Creates the context for a model that the app creates by hand.
  init<R: FutureImage.Recipe>(_ recipe: R.Type, loader: FutureImage.Loader?) {
    self.init(loader: loader ?? R.loader ?? .shared, fields: FutureImage.SiblingFields(baseURL: R.baseURL), codingPath: [])
  }

  /// Creates the context for a decoded property.
  /// - Parameter container: the container of the object that has the property; nil outside an object.
  init<R: FutureImage.Recipe>(_ recipe: R.Type, decoder: any Decoder, container: (any SiblingContainer)?) {
    self.init(
      loader: decoder.userInfo[FutureImage.loaderKey] as? FutureImage.Loader ?? R.loader ?? .shared,
      fields: FutureImage.SiblingFields(container, baseURL: decoder.userInfo[FutureImage.baseURLKey] as? URL ?? R.baseURL),
      codingPath: decoder.codingPath)
  }
}

extension FutureImage.Recipe {
  /// Returns the lazy future for one text of a feed, and the fault of a text that cannot be used.
  static func entry(
    for text: FutureImage.FeedText, at position: FutureImage.Position, in feed: FutureImage.Feed
  ) -> (FutureImage.LazyFuture, fault: FutureImage.Failure?) {
    let fields = feed.fields
    do {
      guard let string = text.string, hasImage(for: string, in: fields) else {
        if position.mayBeMissing { return (.missing, nil) }
        throw FutureImage.Failure(.refused("the feed has no image there; make the property optional if it may be missing"))
      }
      let found = try source(for: string, in: fields).requireFetchable()
      let renewal: FutureImage.Source.Renewal? =
        self == FutureImage.DefaultRecipe.self ? nil : { @Sendable in try await renew($0, key: $1) }
      return (lazy(of: renewal.map { found.renewing(by: $0) } ?? found, at: position, in: feed), nil)
    } catch {
      let path = (feed.codingPath + position.steps).spelled
      let fault = FutureImage.Failure(of: text, at: path, because: error)
      return (position.mayBeMissing ? .missing : lazy(of: .failing(with: fault), at: position, in: feed), fault)
    }
  }

  private static func lazy(
    of source: FutureImage.Source, at position: FutureImage.Position, in feed: FutureImage.Feed
  ) -> FutureImage.LazyFuture {
    let (loader, size, isDeferred) = (feed.loader, size(in: feed.fields), position.isElement)
    let (placeholder, text) = (placeholder(in: feed.fields), alternativeText(in: feed.fields))
    return FutureImage.LazyFuture(source.id, by: loader) {
      let settings = Descriptor.Settings(
        policy: cachePolicy ?? .automatic, size: size, transform: transform, priority: priority, alternativeText: text)
      let descriptor = Descriptor(source: source, settings, loader: loader)
      return FutureImage(descriptor, placeholder: placeholder?.image(for: descriptor), isDeferred: isDeferred)
    }
  }

  /// Reports a fault that does not stop the decoding.
  static func report(_ fault: FutureImage.Failure, in feed: FutureImage.Feed) {
    feed.loader.report(.unusable(fault), SourceKey(fault.key))
    DeveloperWarnings.shared.report(warning(about: fault), once: "unusable text for \(String(reflecting: self))")
  }

  static func warning(about fault: FutureImage.Failure) -> String {
    "FutureImage: a feed names an image that cannot be fetched. \(fault) Further texts of \(self) are reported only to "
      + "Loader.Configuration.onEvent."
  }
}

extension FutureImage.Source {
  /// Returns this source, or throws an error if its URL cannot be fetched. Files and closures are the recipe's own responsibility.
  fileprivate func requireFetchable() throws(FutureImage.Failure) -> Self {
    guard case .url(let url, _) = origin else { return self }
    let canonical = CanonicalURL(url)
    guard canonical.scheme == "data" || ["http", "https"].contains(canonical.scheme) && !canonical.host.isEmpty else {
      throw FutureImage.Failure(.refused("it is not an http, https or data URL; correct the feed, or make the URL in the recipe"))
    }
    return self
  }
}

extension FutureImage.Failure {
  private static let longestSource = 300

  /// - Parameter path: the path of the text in its feed; empty if there is none.
  fileprivate init(of text: FutureImage.FeedText, at path: String, because cause: any Error) {
    let source = path.isEmpty ? text.quoted : "\(text.quoted) at \(path)"
    let why = String(cause.words.prefix(Self.longestSource))
    self.init(.refused(why), key: String(source.prefix(Self.longestSource)), underlying: cause)
  }
}
