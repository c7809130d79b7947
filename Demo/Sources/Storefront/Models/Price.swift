import FutureImage

/// An amount of money.
public struct Price: Decodable, Hashable, Sendable {
  public let cents: Int
  /// ISO 4217.
  public let currency: String

  /// As a price tag says it, such as "€ 24.50".
  public var text: String {
    let sign = currency == "EUR" ? "€" : currency
    let (whole, part) = cents.quotientAndRemainder(dividingBy: 100)
    return "\(sign) \(whole).\(part < 10 ? "0" : "")\(part)"
  }
}
