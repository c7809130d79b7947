extension LoopbackServer {
  /// Header fields in order, with case-insensitive names.
  ///
  ///     let headers: LoopbackServer.Headers = ["Cache-Control": "max-age=60", "Set-Cookie": "a", "Set-Cookie": "b"]
  ///     headers["cache-control"]  // "max-age=60"
  public struct Headers: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    /// One line of a head.
    public struct Field: Sendable, Equatable {
      /// The name as written on the line. Comparisons ignore its case.
      public var name: String
      /// The value, without surrounding spaces and tabs.
      public var value: String

      public init(name: String, value: String) {
        self.name = name
        self.value = value
      }
    }

    /// The fields in the order of their lines. A name may occur more than once.
    public var fields: [Field]

    /// Creates headers with these fields in this order.
    public init(_ fields: [Field] = []) {
      self.fields = fields
    }

    public init(dictionaryLiteral elements: (String, String)...) {
      fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// The value of the field. The values of several fields with this name are joined by ", ". Setting a value replaces all fields with
    /// this name by one field. Setting nil removes them.
    public subscript(name: String) -> String? {
      get {
        let values = fields.filter { Self.isSame($0.name, name) }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
      }
      set {
        fields.removeAll { Self.isSame($0.name, name) }
        if let newValue { fields.append(Field(name: name, value: newValue)) }
      }
    }

    /// Adds a field unless a field with this name exists.
    mutating func setDefault(_ name: String, _ value: @autoclosure () -> String?) {
      guard self[name] == nil, let value = value() else { return }
      fields.append(Field(name: name, value: value))
    }

    /// Whether the field is a comma-separated list that contains this element, as in `Connection: close`.
    func lists(_ element: String, in name: String) -> Bool {
      guard let value = self[name] else { return false }
      return value.split(separator: ",").contains { Self.isSame($0.trimmingSpaces, element) }
    }

    private static func isSame(_ first: some StringProtocol, _ second: String) -> Bool {
      first.utf8.count == second.utf8.count && first.lowercased() == second.lowercased()
    }
  }
}

extension StringProtocol {
  /// The string without surrounding spaces and tabs, HTTP's optional white space.
  var trimmingSpaces: String {
    let isText = { (character: Character) in character != " " && character != "\t" }
    guard let first = firstIndex(where: isText), let last = lastIndex(where: isText) else { return "" }
    return String(self[first...last])
  }
}
