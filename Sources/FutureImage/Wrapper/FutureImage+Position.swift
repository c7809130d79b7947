extension FutureImage {
  /// The position of a picture in the shape of its property: the third of an array, or the one named "small" in a dictionary.
  public struct Position: Sendable {
    /// An index or a name in a shape.
    enum Step: CodingKey, Sendable {
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

    // Apart from the last step, which every element has its own of, elements share the array.
    private var outer: [Step] = []
    private var last: Step?
    /// An array or a dictionary has the picture.
    private(set) var isElement = false
    private var isOptional = false

    /// Whether the shape can do without a picture there.
    var mayBeMissing: Bool { isElement || isOptional }

    var steps: [Step] { last.map { outer + [$0] } ?? outer }

    /// The same position, where no picture is nil.
    public var optional: Position {
      var position = self
      position.isOptional = true
      return position
    }

    /// The position of an array's element.
    public func element(_ index: Int) -> Position { element(.index(index)) }

    /// The position of a dictionary's value.
    public func element(_ name: String) -> Position { element(.name(name)) }

    private func element(_ step: Step) -> Position {
      var position = self
      if let last { position.outer.append(last) }
      position.last = step
      position.isElement = true
      return position
    }
  }
}

extension [any CodingKey] {
  /// The path as one writes it in Swift, `items[3].photo`.
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
