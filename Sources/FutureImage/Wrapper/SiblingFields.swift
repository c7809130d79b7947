extension FutureImage {
  /// The other fields of the object that contains an image's text, and the base of its relative URLs.
  ///
  /// A field can be read only if the model declares it, too, because a keyed container reveals only the keys in its `CodingKeys`. There are
  /// no fields if the image is decoded by itself, outside an object.
  public struct SiblingFields {
    private let container: (any SiblingContainer)?
    /// The base of relative URLs: the decoder's base (see ``FutureImage/FutureImage/baseURLKey``) or, if there is none, the recipe's base.
    let baseURL: URL?
    private let warnings: DeveloperWarnings

    init(_ container: (any SiblingContainer)? = nil, baseURL: URL? = nil, warnings: DeveloperWarnings = .shared) {
      self.container = container
      self.baseURL = baseURL
      self.warnings = warnings
    }

    /// Returns the field's value; nil if the field is absent, has another type, or is not declared. The log reports once that a field is
    /// not declared.
    /// - Parameters:
    ///   - name: the field's name in the JSON. If the decoder converts names from snake case, the converted name works as well.
    ///   - type: the field's type.
    public func value<Value: Decodable>(_ name: String, as type: Value.Type) -> Value? {
      guard let container else { return nil }
      if !container.declares(name) { warnings.report(Self.warning(about: name, container), once: "\(container.keys), \(name)") }
      return container.sibling(name, as: type)
    }

    private static func warning(about name: String, _ container: any SiblingContainer) -> String {
      "FutureImage: a recipe reads the field “\(name)”, which the model does not declare (\(container.keys)). A decoder shows only "
        + "declared fields. Add a property of that name to the model."
    }

    /// Returns the size from two number fields; nil if one of them is absent or not positive.
    public func size(width: String = "width", height: String = "height") -> CGSize? {
      guard let width = value(width, as: Double.self), let height = value(height, as: Double.self) else { return nil }
      return width > 0 && height > 0 ? CGSize(width: width, height: height) : nil
    }

    /// Returns the URL for a text of the feed, parsed as browsers do (URL Standard, https://url.spec.whatwg.org). White space around the
    /// text, line breaks, and tabs are ignored. A backslash in a web URL counts as a slash. Characters that a URL cannot contain are
    /// escaped.
    ///
    /// | text | base | URL |
    /// | --- | --- | --- |
    /// | `https://shop.example/a.jpg` | any | as it is |
    /// | `/a.jpg` | `https://shop.example/feed/` | `https://shop.example/a.jpg` |
    /// | `a.jpg` | `https://shop.example/feed/` | `https://shop.example/feed/a.jpg` |
    /// | `//cdn.example/a.jpg` | `http://shop.example` | `http://cdn.example/a.jpg` |
    /// | `//cdn.example/a.jpg` | none | `https://cdn.example/a.jpg` |
    /// | `https://shop.example/%C3%A4 b.jpg` | any | `https://shop.example/%C3%A4%20b.jpg` |
    /// - Throws: `.refused` for a text that is not a URL, for a relative URL without a base, and for a text that is probably not meant as a
    ///   path, such as `null`, `N/A`, or a number.
    public func url(for text: String) throws(Failure) -> URL {
      var text = text.trimmingCharacters(in: .whitespacesAndNewlines)
      if baseURL == nil, text.hasPrefix("//") { text = "https:" + text }
      do throws(URLText.Fault) {
        if Self.isHardlyAPath(text) { throw URLText.Fault.invalid }
        return try URLText.url(text, relativeTo: baseURL)
      } catch .relative {
        throw Failure(.refused("it is a relative URL; set the recipe's baseURL, or FutureImage.baseURLKey in the decoder's userInfo"))
      } catch {
        throw Failure(.refused("it is not a URL; correct the feed, or make the URL in the recipe"))
      }
    }
  }
}

extension FutureImage.SiblingFields {
  /// Returns whether the text is a number, or a word that feeds contain in place of a missing image.
  private static func isHardlyAPath(_ text: String) -> Bool {
    guard text.utf8.count <= 20 else { return false }
    return Double(text) != nil || ["null", "nil", "none", "undefined", "n/a", "na", "-"].contains(text.lowercased())
  }
}

/// A keyed container with any type of keys.
protocol SiblingContainer {
  /// The name of the type of the keys.
  var keys: String { get }
  /// Returns whether the model declares a field of that name.
  func declares(_ name: String) -> Bool
  func sibling<Value: Decodable>(_ name: String, as type: Value.Type) -> Value?
}

extension KeyedDecodingContainer: SiblingContainer {
  var keys: String { String(reflecting: Key.self) }

  func declares(_ name: String) -> Bool { !Self.keys(for: name).isEmpty }

  /// Returns the declared keys for a field's name, and for the name converted from snake case, because the decoder's strategy may have
  /// converted the container's keys.
  private static func keys(for name: String) -> [Key] {
    [name, name.convertedFromSnakeCase].compactMap { Key(stringValue: $0) }
  }

  func sibling<Value: Decodable>(_ name: String, as type: Value.Type) -> Value? {
    let key = Self.keys(for: name).first { contains($0) }
    // A field that cannot be read returns nil. The model's own decoding reports the error.
    return key.flatMap { try? decodeIfPresent(type, forKey: $0) }
  }
}

extension String {
  /// The name converted as the documentation of `JSONDecoder.KeyDecodingStrategy.convertFromSnakeCase` describes. Underscores are removed,
  /// and the letter after each becomes upper case. Underscores at the start and at the end remain.
  fileprivate var convertedFromSnakeCase: String {
    let words = split(separator: "_")
    guard words.count > 1, let first = words.first else { return self }
    let middle = words.dropFirst().reduce(into: first.lowercased()) { $0 += $1.capitalized }
    let isUnderscore = { (character: Character) in character == "_" }
    return prefix(while: isUnderscore) + middle + reversed().prefix(while: isUnderscore)
  }
}
