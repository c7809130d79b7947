extension LoopbackServer {
  /// Header fields in order, names compared without case.
  ///
  ///     let headers: LoopbackServer.Headers = ["Cache-Control": "max-age=60", "Set-Cookie": "a", "Set-Cookie": "b"]
  ///     headers["cache-control"]  // "max-age=60"
  public struct Headers: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    /// One line of a head.
    public struct Field: Sendable, Equatable {
      /// As it stands on the line; compared without regard to case.
      public var name: String
      /// Without blanks around it.
      public var value: String

      public init(name: String, value: String) {
        self.name = name
        self.value = value
      }
    }

    /// In the order of their lines; a name may come more than once.
    public var fields: [Field]

    /// In that order.
    public init(_ fields: [Field] = []) {
      self.fields = fields
    }

    public init(dictionaryLiteral elements: (String, String)...) {
      fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// The value; those of several fields of that name joined by ", ". Setting leaves one field, or with nil none.
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

    /// Sets a field unless there is one of that name.
    mutating func setDefault(_ name: String, _ value: @autoclosure () -> String?) {
      guard self[name] == nil, let value = value() else { return }
      fields.append(Field(name: name, value: value))
    }

    /// Whether the field is a comma-separated list with this element, as in `Connection: close`.
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
  /// Without the spaces and tabs around it, HTTP's optional white space.
  var trimmingSpaces: String {
    let isText = { (character: Character) in character != " " && character != "\t" }
    guard let first = firstIndex(where: isText), let last = lastIndex(where: isText) else { return "" }
    return String(self[first...last])
  }
}
