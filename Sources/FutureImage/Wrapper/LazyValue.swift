/// The value of a wrapped property. Its futures are made when it is first read.
protocol LazyValue<Value>: Sendable, CustomStringConvertible {
  associatedtype Value

  /// Whether there is an image. If there is none, a collection omits the element, and an optional is nil.
  var hasImage: Bool { get }
  /// Returns the futures. The first call makes them.
  func value() -> Value
  /// Returns whether both values show the same images, by comparing keys. Makes no future.
  func showsSame(as other: any LazyValue<Value>) -> Bool
  func hash(into hasher: inout Hasher)
}

extension LazyValue {
  var hasImage: Bool { true }
}

/// An optional, which is nil if its text is absent or names no image.
struct LazyOptional<Wrapped>: LazyValue {
  let wrapped: (any LazyValue<Wrapped>)?

  var description: String { wrapped?.description ?? "nil" }

  func value() -> Wrapped? { shown?.value() }

  func showsSame(as other: any LazyValue<Wrapped?>) -> Bool {
    let other = (other as? Self)?.shown
    guard let shown, let other else { return self.shown == nil && other == nil }
    return shown.showsSame(as: other)
  }

  func hash(into hasher: inout Hasher) { shown?.hash(into: &hasher) }

  private var shown: (any LazyValue<Wrapped>)? { wrapped.flatMap { $0.hasImage ? $0 : nil } }
}

struct LazyArray<Element>: LazyValue {
  let elements: [any LazyValue<Element>]

  var description: String { "[\(elements.map(\.description).joined(separator: ", "))]" }

  func value() -> [Element] { shown.map { $0.value() } }

  func showsSame(as other: any LazyValue<[Element]>) -> Bool {
    let (shown, other) = (shown, (other as? Self)?.shown ?? [])
    return shown.count == other.count && zip(shown, other).allSatisfy { $0.showsSame(as: $1) }
  }

  func hash(into hasher: inout Hasher) { for element in shown { element.hash(into: &hasher) } }

  private var shown: [any LazyValue<Element>] { elements.filter(\.hasImage) }
}

struct LazyDictionary<Element>: LazyValue {
  let values: [String: any LazyValue<Element>]

  var description: String {
    values.isEmpty ? "[:]" : "[\(values.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", "))]"
  }

  func value() -> [String: Element] { shown.mapValues { $0.value() } }

  func showsSame(as other: any LazyValue<[String: Element]>) -> Bool {
    let (shown, other) = (shown, (other as? Self)?.shown ?? [:])
    return shown.count == other.count && shown.allSatisfy { name, value in other[name].map { value.showsSame(as: $0) } ?? false }
  }

  /// Hashes only the names, as a set, because a dictionary has no order in which to hash its values.
  func hash(into hasher: inout Hasher) { hasher.combine(Set(shown.keys)) }

  private var shown: [String: any LazyValue<Element>] { values.filter { $0.value.hasImage } }
}
