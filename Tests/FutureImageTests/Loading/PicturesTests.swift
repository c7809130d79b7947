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

  @Test mutating func `futures of a key are found a few at a time, also after others have left`() {
    let a = descriptor("a", .modelOnly)
    var living = (0..<4).map { _ in FutureImage() }
    for future in living { _ = pictures.insert(future, a) }
    for _ in 0..<10 {
      let gone = living.removeFirst()
      _ = pictures.remove(id(gone), key: a.key)
      #expect(!futures(a.key).contains(gone))
      let new = FutureImage()
      living.append(new)
      _ = pictures.insert(new, a)
    }
    #expect(pictures.count == 4)
    let first = pictures.futures(key: a.key, atMost: 2)
    #expect(first.futures.count == 2)
    #expect(first.next == 2)
    let second = pictures.futures(key: a.key, from: 2, atMost: 2)
    #expect(second.next == nil)
    #expect(Set(first.futures + second.futures) == Set(living))
    // As if the others had left, and a new crowd had come.
    let beyond = pictures.futures(key: a.key, from: 100)
    #expect(beyond.futures.isEmpty)
    #expect(beyond.next == nil)
    #expect(!pictures.contains(id(living[0]), key: "b"))
  }

  @Test mutating func `the last of many futures leaves with their table, which is released outside the lock`() {
    let a = descriptor("a")
    let living = (0..<3).map { _ in FutureImage() }
    for future in living { _ = pictures.insert(future, a) }
    let left = living.map { pictures.remove(id($0), key: a.key).crowd != nil }
    #expect(left == [false, false, true])
  }

  @Test mutating func `a tier that comes after another has left is known`() {
    let tiers = (0..<3).map { _ in HeldTier() }
    let descriptors = tiers.map { descriptor("a", .tiers(disk: $0)) }
    let living = descriptors.map { descriptor in FutureImage(descriptor, placeholder: nil, isDeferred: true) }
    let key = descriptors[0].key
    for index in 0..<2 { _ = pictures.insert(living[index], descriptors[index]) }
    let left = pictures.remove(id(living[0]), key: key).tier
    #expect(left === tiers[0])
    _ = pictures.insert(living[2], descriptors[2])
    let known = Set(pictures[key]?.crowd?.tiers.map { ObjectIdentifier($0) } ?? [])
    #expect(known == [ObjectIdentifier(tiers[1]), ObjectIdentifier(tiers[2])])
  }

  @Test(arguments: 1...2) mutating func `what a transfer has noted is forgotten with the last future of its key`(count: Int) {
    let a = descriptor("a")
    let living = (0..<count).map { _ in FutureImage() }
    for future in living { _ = pictures.insert(future, a) }
    pictures.change(a.key) { $0.hasFailed = true }
    pictures.change(a.key) { $0.hasInterims = true }
    for future in living { _ = pictures.remove(id(future), key: a.key) }
    #expect(pictures.known.isEmpty)
  }

  @Test mutating func `the memory tiers are settled again when all of their changes have ended`() {
    #expect(pictures.hasSettledMemory("a"))
    for _ in 0..<2 { pictures.beginMemoryChange("a") }
    #expect(!pictures.hasSettledMemory("a"))
    pictures.endMemoryChange("a")
    #expect(!pictures.hasSettledMemory("a"))
    pictures.endMemoryChange("a")
    #expect(pictures.hasSettledMemory("a"))
    #expect(pictures.known.isEmpty)
  }

  @Test mutating func `no generation is forgotten before there are many`() {
    for number in 0..<256 {
      let key = SourceKey("\(number)")
      _ = pictures.replace(key)
      let forgotten = pictures.forgetReplaced(besides: key)
      #expect(forgotten.isEmpty)
    }
    _ = pictures.replace("new")
    let forgotten = pictures.forgetReplaced(besides: "new")
    #expect(forgotten == ["0", "1", "2", "3"])
  }

  @Test mutating func `no generation is forgotten while it is in use, and each is afterwards`() {
    let loader = FutureImage.Loader(FutureImage.Loader.Configuration())
    var left: SourceKey = ""
    let living = (0..<260).map { _ in FutureImage() }
    for (number, future) in living.enumerated() {
      let descriptor = Descriptor(
        source: .data(key: "\(number)") { Data() }, policy: .automatic, size: nil, transform: nil, priority: .normal, loader: loader)
      _ = pictures.insert(future, descriptor)
      _ = pictures.replace(descriptor.key)
      if number == 0 { left = descriptor.key }
    }
    pictures.change("staged") {
      $0.staged = .some(.init(encoded: nil, entry: FutureImage.CacheEntry(body: Data([1])), places: [], writes: 1))
    }
    pictures.beginMemoryChange("changing")
    for key in ["staged", "changing", "new"] as [SourceKey] { _ = pictures.replace(key) }
    // Four at a time, so each is considered three times.
    for _ in 0..<200 {
      let forgotten = pictures.forgetReplaced(besides: "new")
      #expect(forgotten.isEmpty)
    }
    pictures.change("staged") { $0.staged = nil }
    pictures.endMemoryChange("changing")
    _ = pictures.remove(id(living[0]), key: left)
    var forgotten: Set<SourceKey> = []
    for _ in 0..<200 { forgotten.formUnion(pictures.forgetReplaced(besides: "other")) }
    #expect(forgotten == [left, "staged", "changing", "new"])
    withExtendedLifetime(living) {}
  }

  @Test func `bytes are retained for their delivery unless they wait for a disk tier`() {
    let loader = Shop().loader
    let bytes = Encoded(data: Data([1]), size: FutureImage.PixelSize(width: 1, height: 1), isFromDisk: false)
    let (untold, told, staged) = loader.state.withLock { state -> (UInt64?, Bool, UInt64?) in
      let untold = state.beginTelling(of: bytes, "a")
      let isRetained = state.pictures["a"]?.untold != nil
      state.endTelling("a", untold)
      state.pictures.change("b") {
        $0.staged = .some(.init(encoded: bytes, entry: FutureImage.CacheEntry(body: bytes.data), places: [], writes: 1))
      }
      return (untold, isRetained && state.pictures["a"] == nil, state.beginTelling(of: bytes, "b"))
    }
    #expect(untold != nil)
    #expect(told)
    #expect(staged == nil)
  }
}
