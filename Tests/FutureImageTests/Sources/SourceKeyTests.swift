import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct SourceKeyTests {
  @Test func `keys are equal if their texts are equal, wherever the texts are stored`() {
    let text = "https://shop.test/prints/1/photo.jpg"
    let other = ["https://shop.test", "prints", "1", "photo.jpg"].joined(separator: "/")
    #expect(SourceKey(text) == SourceKey(other))
    #expect(SourceKey(text).hashValue == SourceKey(other).hashValue)
    #expect(SourceKey(text) != SourceKey(text + "?"))
  }

  @Test func `a dictionary finds each of many keys, and does not find an absent key`() {
    let keys = (0..<10_000).map { "image \($0)" }
    let places = Dictionary(uniqueKeysWithValues: zip(keys.map { SourceKey($0) }, keys.indices))
    #expect(keys.map { places[SourceKey($0)] } == Array(keys.indices))
    #expect(places["image 10000"] == nil)
  }
}
