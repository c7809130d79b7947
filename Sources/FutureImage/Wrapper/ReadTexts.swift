/// The texts that a feed has for one wrapped property in the shape that the property declares, and the faults of values in other shapes.
///
/// | declared | the feed has | texts | faults |
/// | --- | --- | --- | --- |
/// | a list | `["a.jpg", null]` | the list | |
/// | a list | `null`, `""`, `false`, `{}` | none | one, usual |
/// | a list | `"a.jpg"`, `7`, `{"a": "b"}` | none | one |
/// | a list of lists | `[["a.jpg"], null, "b.jpg"]` | `[["a.jpg"]]` | one |
/// | a text | `[]`, `{}` | null | one, usual |
struct ReadTexts<FeedTexts> {
  /// The texts; nil if the feed has a value of another shape.
  var texts: FeedTexts?
  var faults: [ContainerFault] = []
}

extension ReadTexts {
  /// The faults of an element of a collection. A null is not a fault there, because it means that there is no element.
  var faultsOfElement: [ContainerFault] { faults.filter { !$0.isNull } }
}

/// A value of a feed that does not have the declared shape.
struct ContainerFault {
  let codingPath: [any CodingKey]
  /// The value, for a message.
  let found: String
  /// The declared shape, for a message.
  let wanted: String
  /// Whether feeds use the value for an empty collection. In place of a missing list, some servers write null, an empty text, false, or an
  /// empty collection of the other kind.
  let isUsual: Bool
  let isNull: Bool

  init(_ decoder: any Decoder, wanted: String) {
    codingPath = decoder.codingPath
    self.wanted = wanted
    if let text = try? FutureImage.FeedText(from: decoder) {
      found = text.quoted
      isNull = text == .null
      isUsual = isNull || text == "" || text == .no
    } else if let list = try? decoder.unkeyedContainer() {
      found = "a list"
      isNull = false
      isUsual = list.isAtEnd
    } else {
      found = "an object"
      isNull = false
      isUsual = (try? decoder.container(keyedBy: FutureImage.Position.Part.self))?.allKeys.isEmpty ?? false
    }
  }

  var failure: FutureImage.Failure {
    let path = codingPath.spelled
    return FutureImage.Failure(.refused("the model declares \(wanted) there"), key: path.isEmpty ? found : "\(found) at \(path)")
  }

  var error: DecodingError {
    let text = "The feed has \(found) in place of \(wanted). Declare the property in the shape of the feed."
    return .typeMismatch(String.self, DecodingError.Context(codingPath: codingPath, debugDescription: text))
  }
}

/// An element of a collection. Its decoding never throws an error, so one element cannot end the decoding of the whole feed.
struct ReadElement<Value: FutureImage.FutureContainer>: Decodable {
  let read: ReadTexts<Value.FeedTexts>

  init(from decoder: any Decoder) {
    read = Value._conversion.read(decoder)
  }
}
