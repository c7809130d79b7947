/// A value of a wrapped property whose futures are made when it is first read.
protocol Unmade<Value>: Sendable, CustomStringConvertible {
  associatedtype Value

  /// Whether there is an image: without one, a collection omits the element, and an optional is nil.
  var hasPicture: Bool { get }
  /// Returns the futures, and makes them if they are not made yet.
  func value() -> Value
}

extension Unmade {
  var hasPicture: Bool { true }
}

/// An optional is nil if its text is absent or names no image.
struct UnmadeOptional<Wrapped>: Unmade {
  let wrapped: (any Unmade<Wrapped>)?

  var description: String { wrapped?.description ?? "nil" }

  func value() -> Wrapped? { wrapped.flatMap { $0.hasPicture ? $0.value() : nil } }
}

struct UnmadeArray<Element>: Unmade {
  let elements: [any Unmade<Element>]

  var description: String { "[\(elements.map(\.description).joined(separator: ", "))]" }

  func value() -> [Element] { elements.lazy.filter(\.hasPicture).map { $0.value() } }
}

struct UnmadeDictionary<Element>: Unmade {
  let values: [String: any Unmade<Element>]

  var description: String {
    values.isEmpty ? "[:]" : "[\(values.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", "))]"
  }

  func value() -> [String: Element] { values.filter { $0.value.hasPicture }.mapValues { $0.value() } }
}
