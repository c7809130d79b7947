import Foundation
import Storefront
import Testing

@Suite struct PriceTests {
  @Test(arguments: [(450, "€ 4.50"), (1_905, "€ 19.05"), (6_900, "€ 69.00"), (7, "€ 0.07")])
  func `the text of a price has the currency and two decimals`(_ cents: Int, _ text: String) throws {
    let price = try JSONDecoder().decode(Price.self, from: Data(#"{"cents": \#(cents), "currency": "EUR"}"#.utf8))
    #expect(price.text == text)
  }
}
