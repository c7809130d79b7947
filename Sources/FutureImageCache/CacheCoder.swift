import FutureImage

/// The conversion of the values of a ``Cache`` to bytes on disk, and back.
///
/// The library has `.data`, `.string`, `.json` for `Codable` types, and `.image`. Create one for your own types:
///
///     extension CacheCoder<Sketch> {
///       static var sketch: Self { Self(encode: { try $0.archived() }, decode: { try Sketch(archive: $0) }) }
///     }
///     let sketches = Cache(named: "sketches", as: .sketch)
public struct CacheCoder<Value: Sendable>: Sendable {
  let encode: @Sendable (Value) throws -> Data
  let decode: @Sendable (Data) throws -> Value
  let cost: @Sendable (Value) -> Int?

  /// Creates a coder. `encode` and `decode` are called on any thread except the main thread, several calls at once. `cost` is called on any
  /// thread.
  /// - Parameters:
  ///   - encode: returns the bytes to store. An error counts as a fault, and the value stays in memory only.
  ///   - decode: returns the value that the bytes encode. If it throws, the bytes are removed from disk, or the fetch that received them
  ///     fails.
  ///   - cost: returns the value's size in memory, in bytes. If it returns nil, as by default, the size of the encoded value is used. This
  ///     closure must return at once.
  public init(
    encode: @escaping @Sendable (Value) throws -> Data, decode: @escaping @Sendable (Data) throws -> Value,
    cost: @escaping @Sendable (Value) -> Int? = { _ in nil }
  ) {
    (self.encode, self.decode, self.cost) = (encode, decode, cost)
  }
}

extension CacheCoder where Value == Data {
  /// Bytes, stored unchanged.
  public static var data: Self { Self(encode: { $0 }, decode: { $0 }, cost: { $0.count }) }
}

extension CacheCoder where Value == String {
  /// Text in UTF-8. Other bytes fail to decode.
  public static var string: Self {
    Self(encode: { Data($0.utf8) }, decode: text(from:), cost: { $0.utf8.count })
  }

  private static func text(from data: Data) throws -> String {
    guard let text = String(validating: data, as: UTF8.self) else { throw FutureImage.Failure(.undecodable("it is not UTF-8")) }
    return text
  }
}

extension CacheCoder where Value: Codable {
  /// Any `Codable` type, as JSON with the standard settings.
  public static var json: Self {
    Self(encode: { try JSONEncoder().encode($0) }, decode: { try JSONDecoder().decode(Value.self, from: $0) })
  }
}
