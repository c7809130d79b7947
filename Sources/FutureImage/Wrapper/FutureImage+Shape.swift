extension FutureImage {
  /// A type that a wrapped property may have: a future; an optional, an array, or a dictionary of them; or these in each other.
  ///
  /// Your own types cannot conform.
  public protocol Shape {
    /// The same shape with the JSON's text for each image.
    associatedtype Texts: Codable & Hashable & Sendable

    /// The conversion of texts to futures, and back.
    static var _conversion: _ShapeConversion<Self, Texts> { get }
  }

  /// The library's own part of ``Shape``.
  public struct _ShapeConversion<Value, Texts> {
    typealias Make = (FeedText, Position) -> Lazy

    /// Returns a value that will make the future of each text, but makes none yet.
    let unmade: (Texts, Position, Make) -> any Unmade<Value>
    /// Wraps futures made by the app.
    let wrapped: (Value) -> any Unmade<Value>
    /// Returns the texts that represent futures made by the app.
    let texts: (Value) -> Texts
    /// Returns all futures in the value; those of a dictionary in any order.
    let futures: (Value) -> [FutureImage]
    /// Reads the texts of a feed.
    let read: (any Decoder) -> ReadTexts<Texts>
    /// The texts in place of another shape: an empty collection, or an optional that is nil. Nil for a future, which cannot be empty.
    let empty: () -> Texts?
  }
}

extension FutureImage: FutureImage.Shape {
  public static var _conversion: _ShapeConversion<FutureImage, FeedText> {
    _ShapeConversion(unmade: { $2($0, $1) }, wrapped: { Lazy($0.root) }, texts: { FeedText(of: $0) }, futures: { [$0] }) { decoder in
      guard let text = try? FeedText(from: decoder) else { return ReadTexts(texts: .null, faults: [ShapeFault(decoder, wanted: "a text")]) }
      return ReadTexts(texts: text)
    } empty: {
      nil
    }
  }
}

extension Optional: FutureImage.Shape where Wrapped: FutureImage.Shape {
  public static var _conversion: FutureImage._ShapeConversion<Wrapped?, Wrapped.Texts?> {
    let conversion = Wrapped._conversion
    return FutureImage._ShapeConversion { texts, position, make in
      UnmadeOptional(wrapped: texts.map { conversion.unmade($0, position.optional, make) })
    } wrapped: {
      UnmadeOptional(wrapped: $0.map(conversion.wrapped))
    } texts: {
      $0.map(conversion.texts)
    } futures: {
      $0.map(conversion.futures) ?? []
    } read: { decoder in
      if let container = try? decoder.singleValueContainer(), container.decodeNil() { return ReadTexts(texts: .some(nil)) }
      let wrapped = conversion.read(decoder)
      let isNil = wrapped.texts == nil
      return ReadTexts(texts: .some(wrapped.texts), faults: wrapped.faults.filter { !(isNil && $0.isUsual) })
    } empty: {
      .some(nil)
    }
  }
}

// Elements are used independently of each other, so the future of each starts its fetch at its own first use.
extension Array: FutureImage.Shape where Element: FutureImage.Shape {
  public static var _conversion: FutureImage._ShapeConversion<[Element], [Element.Texts]> {
    let conversion = Element._conversion
    return FutureImage._ShapeConversion { texts, position, make in
      UnmadeArray(elements: texts.enumerated().map { conversion.unmade($0.element, position.element($0.offset), make) })
    } wrapped: {
      UnmadeArray(elements: $0.map(conversion.wrapped))
    } texts: {
      $0.map(conversion.texts)
    } futures: {
      $0.flatMap(conversion.futures)
    } read: { decoder in
      guard let elements = try? decoder.singleValueContainer().decode([ReadElement<Element>].self) else {
        return ReadTexts(faults: [ShapeFault(decoder, wanted: "a list")])
      }
      let reads = elements.lazy.map(\.read)
      // An element that is null is absent, as everywhere.
      return ReadTexts(texts: reads.compactMap(\.texts), faults: reads.flatMap(\.faultsOfElement))
    } empty: {
      []
    }
  }
}

extension Dictionary: FutureImage.Shape where Key == String, Value: FutureImage.Shape {
  public static var _conversion: FutureImage._ShapeConversion<[String: Value], [String: Value.Texts]> {
    let conversion = Value._conversion
    return FutureImage._ShapeConversion { texts, position, make in
      var values: [String: any Unmade<Value>] = [:]
      for (name, text) in texts { values[name] = conversion.unmade(text, position.element(name), make) }
      return UnmadeDictionary(values: values)
    } wrapped: {
      UnmadeDictionary(values: $0.mapValues(conversion.wrapped))
    } texts: {
      $0.mapValues(conversion.texts)
    } futures: {
      $0.values.flatMap(conversion.futures)
    } read: { decoder in
      guard let values = try? decoder.singleValueContainer().decode([String: ReadElement<Value>].self) else {
        return ReadTexts(faults: [ShapeFault(decoder, wanted: "an object")])
      }
      let reads = values.mapValues(\.read)
      return ReadTexts(texts: reads.compactMapValues(\.texts), faults: reads.values.flatMap(\.faultsOfElement))
    } empty: {
      [:]
    }
  }
}
