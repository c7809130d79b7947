extension FutureImage {
  /// How the values of a ``Cache`` become bytes on disk, and values again.
  ///
  /// There are `.data`, `.string`, `.json` for whatever is `Codable`, and `.image`. Conform to it for types of your own:
  ///
  ///     struct Sketches: FutureImage.CacheCoder {
  ///       func data(from sketch: Sketch) throws -> Data { try sketch.archived() }
  ///       func value(from data: Data) throws -> Sketch { try Sketch(archive: data) }
  ///     }
  ///
  /// Called on any thread but the main one, several at once.
  public protocol CacheCoder<Value>: Sendable {
    /// What the cache holds.
    associatedtype Value: Sendable

    /// The bytes to keep. What throws is counted as a fault, and the value stays in memory alone.
    func data(from value: Value) throws -> Data
    /// What throws is no value: bytes on disk that cannot be read are removed, fetched ones fail the fetch.
    func value(from data: Data) throws -> Value
    /// What the value takes in memory, in bytes; nil for as much as its encoded form does. Must answer at once, on any thread.
    func cost(of value: Value) -> Int?
  }

  /// Bytes as they are.
  public struct DataCoder: CacheCoder {
    public func data(from value: Data) -> Data { value }
    public func value(from data: Data) -> Data { data }
    public func cost(of value: Data) -> Int? { value.count }
  }

  /// Text in UTF-8. Bytes that are not are no text.
  public struct StringCoder: CacheCoder {
    public func data(from value: String) -> Data { Data(value.utf8) }

    public func value(from data: Data) throws -> String {
      guard let text = String(validating: data, as: UTF8.self) else { throw Failure(.undecodable("it is not UTF-8")) }
      return text
    }

    public func cost(of value: String) -> Int? { value.utf8.count }
  }

  /// Whatever is `Codable`, as JSON with the standard settings.
  public struct JSONCoder<Value: Codable & Sendable>: CacheCoder {
    public func data(from value: Value) throws -> Data { try JSONEncoder().encode(value) }
    public func value(from data: Data) throws -> Value { try JSONDecoder().decode(Value.self, from: data) }
  }
}

extension FutureImage.CacheCoder {
  public func cost(of value: Value) -> Int? { nil }
}

extension FutureImage.CacheCoder where Self == FutureImage.DataCoder {
  /// Bytes as they are.
  public static var data: Self { Self() }
}

extension FutureImage.CacheCoder where Self == FutureImage.StringCoder {
  /// Text in UTF-8.
  public static var string: Self { Self() }
}

extension FutureImage.CacheCoder {
  /// Whatever is `Codable`, as JSON.
  public static func json<Value>(_ type: Value.Type = Value.self) -> Self where Self == FutureImage.JSONCoder<Value> { Self() }
}
