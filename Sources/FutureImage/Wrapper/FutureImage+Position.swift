extension FutureImage {
  /// The position of an image in the shape of its property, such as the index 2 in an array, or the name "small" in a dictionary.
  struct Position: Sendable {
    /// An index or a name in a shape.
    enum Part: CodingKey, Sendable {
      case index(Int)
      case name(String)

      init(intValue: Int) { self = .index(intValue) }
      init(stringValue: String) { self = .name(stringValue) }

      var intValue: Int? {
        if case .index(let index) = self { index } else { nil }
      }

      var stringValue: String {
        switch self {
        case .index(let index): "Index \(index)"
        case .name(let name): name
        }
      }
    }

    // For the elements of a collection that is in no other collection, this array is empty, so that they allocate no memory for it.
    private var outer: [Part] = []
    private var last: Part?
    /// Whether the image is in an array or a dictionary.
    private(set) var isElement = false
    private var isOptional = false

    /// Whether the shape allows the image to be missing.
    var mayBeMissing: Bool { isElement || isOptional }

    var steps: [Part] { last.map { outer + [$0] } ?? outer }

    /// The same position in an optional, which is nil if the image is missing.
    var optional: Position {
      var position = self
      position.isOptional = true
      return position
    }

    /// The position of an array's element.
    func element(_ index: Int) -> Position { element(.index(index)) }

    /// The position of a dictionary's value.
    func element(_ name: String) -> Position { element(.name(name)) }

    private func element(_ step: Part) -> Position {
      var position = self
      if let last { position.outer.append(last) }
      position.last = step
      position.isElement = true
      return position
    }
  }
}

extension [any CodingKey] {
  /// The path as written in Swift, such as `items[3].photo`.
  var spelled: String {
    reduce(into: "") { text, key in
      if let index = key.intValue {
        text += "[\(index)]"
      } else {
        text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
      }
    }
  }
}
