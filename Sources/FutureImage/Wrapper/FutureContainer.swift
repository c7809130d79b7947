extension FutureImage {
  /// A type that a wrapped property may have: a future, or an optional, an array, or a dictionary whose values have such a type.
  ///
  /// Your own types cannot conform.
  public protocol FutureContainer {
    /// The same shape, with a text of the JSON in place of each future.
    associatedtype FeedTexts: Codable & Hashable & Sendable

    /// The conversion between texts and futures.
    static var _conversion: _ContainerConversion<Self, FeedTexts> { get }
  }

  /// The conversions of a ``FutureContainer``, for use by the library only.
  public struct _ContainerConversion<Value, FeedTexts> {
    typealias Make = (FeedText, Position) -> LazyFuture

    /// Returns a lazy value, which makes the futures of the texts when it is first read.
    let lazyValue: (FeedTexts, Position, Make) -> any LazyValue<Value>
    /// Wraps futures made by the app.
    let wrapped: (Value) -> any LazyValue<Value>
    /// Returns the texts that represent futures made by the app.
    let texts: (Value) -> FeedTexts
    /// Returns all futures in the value. The futures of a dictionary are in no particular order.
    let futures: (Value) -> [FutureImage]
    /// Reads the texts of a feed.
    let read: (any Decoder) -> ReadTexts<FeedTexts>
    /// Returns the texts that replace a value of another shape: an empty collection or a nil optional. Returns nil for a single future,
    /// which cannot be empty.
    let empty: () -> FeedTexts?
  }
}

extension FutureImage: FutureImage.FutureContainer {
  public static var _conversion: _ContainerConversion<FutureImage, FeedText> {
    _ContainerConversion(lazyValue: { $2($0, $1) }, wrapped: { LazyFuture($0.root) }, texts: { FeedText(of: $0) }, futures: { [$0] }) {
      decoder in
      guard let text = try? FeedText(from: decoder) else {
        return ReadTexts(texts: .null, faults: [ContainerFault(decoder, wanted: "a text")])
      }
      return ReadTexts(texts: text)
    } empty: {
      nil
    }
  }
}

extension Optional: FutureImage.FutureContainer where Wrapped: FutureImage.FutureContainer {
  public static var _conversion: FutureImage._ContainerConversion<Wrapped?, Wrapped.FeedTexts?> {
    let conversion = Wrapped._conversion
    return FutureImage._ContainerConversion { texts, position, make in
      LazyOptional(wrapped: texts.map { conversion.lazyValue($0, position.optional, make) })
    } wrapped: {
      LazyOptional(wrapped: $0.map(conversion.wrapped))
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

// An app uses elements independently of each other, so each element's future starts its fetch when that element is first used.
extension Array: FutureImage.FutureContainer where Element: FutureImage.FutureContainer {
  public static var _conversion: FutureImage._ContainerConversion<[Element], [Element.FeedTexts]> {
    let conversion = Element._conversion
    return FutureImage._ContainerConversion { texts, position, make in
      LazyArray(elements: texts.enumerated().map { conversion.lazyValue($0.element, position.element($0.offset), make) })
    } wrapped: {
      LazyArray(elements: $0.map(conversion.wrapped))
    } texts: {
      $0.map(conversion.texts)
    } futures: {
      $0.flatMap(conversion.futures)
    } read: { decoder in
      guard let elements = try? decoder.singleValueContainer().decode([ReadElement<Element>].self) else {
        return ReadTexts(faults: [ContainerFault(decoder, wanted: "a list")])
      }
      let reads = elements.lazy.map(\.read)
      // As in all shapes, null means that there is no image, so the array omits the element.
      return ReadTexts(texts: reads.compactMap(\.texts), faults: reads.flatMap(\.faultsOfElement))
    } empty: {
      []
    }
  }
}

extension Dictionary: FutureImage.FutureContainer where Key == String, Value: FutureImage.FutureContainer {
  public static var _conversion: FutureImage._ContainerConversion<[String: Value], [String: Value.FeedTexts]> {
    let conversion = Value._conversion
    return FutureImage._ContainerConversion { texts, position, make in
      var values: [String: any LazyValue<Value>] = [:]
      for (name, text) in texts { values[name] = conversion.lazyValue(text, position.element(name), make) }
      return LazyDictionary(values: values)
    } wrapped: {
      LazyDictionary(values: $0.mapValues(conversion.wrapped))
    } texts: {
      $0.mapValues(conversion.texts)
    } futures: {
      $0.values.flatMap(conversion.futures)
    } read: { decoder in
      guard let values = try? decoder.singleValueContainer().decode([String: ReadElement<Value>].self) else {
        return ReadTexts(faults: [ContainerFault(decoder, wanted: "an object")])
      }
      let reads = values.mapValues(\.read)
      return ReadTexts(texts: reads.compactMapValues(\.texts), faults: reads.values.flatMap(\.faultsOfElement))
    } empty: {
      [:]
    }
  }
}
