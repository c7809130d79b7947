import FutureImage

/// An amount of money.
public struct Price: Decodable, Hashable, Sendable {
  public let cents: Int
  /// The currency's code by ISO 4217.
  public let currency: String

  /// The text of a price tag, such as "€ 24.50".
  public var text: String {
    let sign = currency == "EUR" ? "€" : currency
    let (whole, part) = cents.quotientAndRemainder(dividingBy: 100)
    return "\(sign) \(whole).\(part < 10 ? "0" : "")\(part)"
  }
}
