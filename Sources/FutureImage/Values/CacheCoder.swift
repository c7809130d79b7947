extension FutureImage {
  /// A type that converts the values of a ``Cache`` to bytes on disk, and back.
  ///
  /// The library has `.data`, `.string`, `.json` for `Codable` types, and `.image`. Conform to this protocol for your own types:
  ///
  ///     struct Sketches: FutureImage.CacheCoder {
  ///       func data(from sketch: Sketch) throws -> Data { try sketch.archived() }
  ///       func value(from data: Data) throws -> Sketch { try Sketch(archive: data) }
  ///     }
  ///
  /// Called on any thread but the main one, several calls at once.
  public protocol CacheCoder<Value>: Sendable {
    /// The type of the cache's values.
    associatedtype Value: Sendable

    /// Returns the bytes to store. An error counts as a fault, and the value stays in memory only.
    func data(from value: Value) throws -> Data
    /// Returns the value that the bytes encode. If this throws, bytes on disk are removed, and a fetch fails.
    func value(from data: Data) throws -> Value
    /// Returns the value's size in memory, in bytes; nil for the size of its encoded form. Must return at once, on any thread.
    func cost(of value: Value) -> Int?
  }

  /// Bytes, stored unchanged.
  public struct DataCoder: CacheCoder {
    public func data(from value: Data) -> Data { value }
    public func value(from data: Data) -> Data { data }
    public func cost(of value: Data) -> Int? { value.count }
  }

  /// Text in UTF-8. Other bytes fail to decode.
  public struct StringCoder: CacheCoder {
    public func data(from value: String) -> Data { Data(value.utf8) }

    public func value(from data: Data) throws -> String {
      guard let text = String(validating: data, as: UTF8.self) else { throw Failure(.undecodable("it is not UTF-8")) }
      return text
    }

    public func cost(of value: String) -> Int? { value.utf8.count }
  }

  /// Any `Codable` type, as JSON with the standard settings.
  public struct JSONCoder<Value: Codable & Sendable>: CacheCoder {
    public func data(from value: Value) throws -> Data { try JSONEncoder().encode(value) }
    public func value(from data: Data) throws -> Value { try JSONDecoder().decode(Value.self, from: data) }
  }
}

extension FutureImage.CacheCoder {
  public func cost(of value: Value) -> Int? { nil }
}

extension FutureImage.CacheCoder where Self == FutureImage.DataCoder {
  /// Bytes, stored unchanged.
  public static var data: Self { Self() }
}

extension FutureImage.CacheCoder where Self == FutureImage.StringCoder {
  /// Text in UTF-8.
  public static var string: Self { Self() }
}

extension FutureImage.CacheCoder {
  /// Any `Codable` type, as JSON.
  public static func json<Value>(_ type: Value.Type = Value.self) -> Self where Self == FutureImage.JSONCoder<Value> { Self() }
}
