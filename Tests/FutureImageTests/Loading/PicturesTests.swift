import Foundation
import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct PicturesTests {
  private var pictures = Pictures()

  private func id(_ future: FutureImage) -> ObjectIdentifier { ObjectIdentifier(future) }

  /// Returns a descriptor of an image that no loader knows.
  private func descriptor(_ key: String, _ policy: FutureImage.CachePolicy = .automatic) -> Descriptor {
    Descriptor(
      source: .data(key: key) { Data() }, policy: policy, size: nil, transform: nil, priority: .normal,
      loader: FutureImage.Loader(FutureImage.Loader.Configuration()))
  }

  private func futures(_ key: SourceKey) -> [FutureImage] {
    var (all, next): ([FutureImage], Int?) = ([], 0)
    while let first = next {
      let (some, rest) = pictures.futures(key: key, from: first, atMost: 2)
      all += some
      next = rest
    }
    return all
  }

  @Test(arguments: 1...5) mutating func `each future of a key is found once, a few at a time`(count: Int) {
    let (a, b) = (descriptor("a"), descriptor("b"))
    let living = (0..<count).map { _ in FutureImage() }
    for future in living { _ = pictures.insert(future, a) }
    #expect(futures(a.key).count == count)
    #expect(Set(futures(a.key)) == Set(living))
    #expect(futures(b.key).isEmpty)
    #expect(pictures.count == count)
    #expect(pictures.hasFutures(a.key) && !pictures.hasFutures(b.key))
    #expect(pictures.isShared(a.key) == (count > 1))
    #expect(living.allSatisfy { pictures.contains(id($0), key: a.key) })
    #expect(!pictures.contains(id(FutureImage()), key: a.key))
  }

  @Test(arguments: 1...4) mutating func `only the last future to leave a key is reported as the last`(count: Int) {
    let (a, b) = (descriptor("a"), descriptor("b"))
    let (living, other) = ((0..<count).map { _ in FutureImage() }, FutureImage())
    for future in living { _ = pictures.insert(future, a) }
    _ = pictures.insert(other, b)
    var last: [Bool] = []
    for future in living { last.append(pictures.remove(id(future), key: a.key).isLast) }
    #expect(last == (1...count).map { $0 == count })
    #expect(futures(a.key).isEmpty)
    #expect(futures(b.key) == [other])
    #expect(pictures.count == 1)
    #expect(pictures.known.isEmpty)
  }

  @Test(arguments: 1...3) mutating func `removing an absent future has no effect`(count: Int) {
    let a = descriptor("a")
    let (living, stranger) = ((0..<count).map { _ in FutureImage() }, FutureImage())
    for future in living { _ = pictures.insert(future, a) }
    let last = [pictures.remove(id(stranger), key: a.key).isLast, pictures.remove(id(stranger), key: "b").isLast]
    #expect(last == [false, false])
    #expect(futures(a.key).count == count)
    #expect(pictures.count == count)
  }

  @Test(arguments: 1...3) mutating func `futures are not retained`(count: Int) {
    let a = descriptor("a")
    var living = (0..<count).map { _ in FutureImage() }
    for future in living { _ = pictures.insert(future, a) }
    let first = id(living[0])
    living.removeFirst()
    #expect(futures(a.key).count == count - 1)
    let isLast = pictures.remove(first, key: a.key).isLast
    #expect(isLast == (count == 1))
  }

  @Test mutating func `the tiers of many futures are known, each once, without a search of the futures`() {
    let (first, second) = (HeldTier(), HeldTier())
    let descriptors = [first, second, first].map { descriptor("a", .tiers(disk: $0)) }
    let living = descriptors.map { descriptor in FutureImage(descriptor, placeholder: nil, isDeferred: true) }
    for (future, descriptor) in zip(living, descriptors) { _ = pictures.insert(future, descriptor) }
    let key = descriptors[0].key
    func tiers() -> Set<ObjectIdentifier> { Set(pictures[key]?.crowd?.tiers.map { ObjectIdentifier($0) } ?? []) }
    #expect(tiers() == [ObjectIdentifier(first), ObjectIdentifier(second)])
    let shared = pictures.remove(id(living[0]), key: key).tier
    #expect(shared == nil)
    #expect(tiers() == [ObjectIdentifier(first), ObjectIdentifier(second)])
    let left = pictures.remove(id(living[1]), key: key).tier
    #expect(left === second)
    #expect(tiers() == [ObjectIdentifier(first)])
  }

  @Test mutating func `a record is removed when it becomes empty`() {
    pictures.change("a") { $0.hasInterims = true }
    #expect(pictures["a"] != nil)
    pictures.changeIfKnown("a") { $0.hasInterims = false }
    #expect(pictures["a"] == nil)
    pictures.changeIfKnown("b") { $0.hasInterims = true }
    #expect(pictures.known.isEmpty)
  }

  @Test mutating func `generations of replaced images without futures are forgotten, a few at a time`() {
    let keeper = FutureImage()
    let kept = descriptor("kept")
    _ = pictures.insert(keeper, kept)
    let generations = [pictures.replace(kept.key), pictures.replace(kept.key)]
    #expect(generations == [1, 2])
    var forgotten: Set<SourceKey> = []
    for number in 0..<2_000 {
      let key = SourceKey("\(number)")
      _ = pictures.replace(key)
      forgotten.formUnion(pictures.forgetReplaced(besides: key))
    }
    #expect(pictures.replacedCount <= 257)
    #expect(pictures.replacedCount + forgotten.count == 2_001)
    #expect(pictures.generation(of: kept.key) == 2)
    #expect(!forgotten.contains(kept.key))
  }

  @Test mutating func `bytes in delivery give way to newer ones, and only their own delivery ends them`() {
    let bytes = Encoded(data: Data([1]), size: FutureImage.PixelSize(width: 1, height: 1), isFromDisk: false)
    let (first, none) = pictures.beginTelling(of: bytes, "a")
    #expect(none == nil)
    let (second, former) = pictures.beginTelling(of: bytes, "a")
    #expect(former != nil)
    let early = pictures.endTelling("a", first)
    #expect(early == nil)
    #expect(pictures["a"]?.untold != nil)
    let told = pictures.endTelling("a", second)
    #expect(told != nil)
    #expect(pictures["a"] == nil)
    #expect(pictures.toldCount == 2)
  }
}
