import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// A loader's inventory of its existing futures.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct InventoryTests {
  private let fixture = LoaderFixture()

  private func entry(_ name: String) throws -> FutureImage.Inventory.Entry {
    try #require(fixture.loader.currentInventory.entries.first { $0.key == LoaderFixture.url(name).absoluteString })
  }

  @Test func `a loader without futures has an empty inventory`() {
    #expect(fixture.loader.currentInventory.entries.isEmpty)
    #expect(fixture.loader.currentInventory.description == "0 futures. Pixels: 0 bytes. Pool: 0 bytes. Encoded: 0 bytes.")
  }

  @Test func `an inventory entry names the holders of its future`() async throws {
    let futures = ["model", "view", "waiter", "prefetch", "loop"].map { fixture.future($0) }
    let views = [imageView(10), imageView(20)]
    for view in views { view.futureImage = futures[1] }
    let waiting = Task { try? await futures[2].value }
    let prefetches = [FutureImage.Prefetch([futures[3]]), FutureImage.Prefetch([futures[3]], fitting: .full)]
    let begun = Signal()
    let loop = Task { for await _ in futures[4].phases() { begun.send() } }
    await begun.wait()
    try await eventually { try entry("waiter").waiters > 0 }
    #expect(try entry("model").isModelOnly)
    #expect(try entry("model").holders == "only the model")
    #expect(try entry("view").holders == "2 views")
    #expect(try entry("waiter").holders == "1 waiter")
    #expect(try entry("prefetch").holders == "2 prefetches")
    #expect(try entry("loop").holders == "1 phase stream")
    views[0].image = nil
    #expect(try entry("view").views == 1)
    for prefetch in prefetches { prefetch.cancel() }
    #expect(try entry("prefetch").isModelOnly)
    futures[2].cancel()
    _ = await waiting.value
    loop.cancel()
    await loop.value
    #expect(try entry("waiter").isModelOnly)
    #expect(try entry("loop").isModelOnly)
  }

  @Test func `an inventory entry has the phase, the sizes, and the bytes of its future`() async throws {
    let futures = ["ready", "failed", "loading"].map { fixture.future($0) }
    let views = futures.map { future in
      let view = imageView(150)
      view.futureImage = future
      return view
    }
    await fixture.held.waitForHeld(3)
    fixture.held.resolve(LoaderFixture.url("ready"), with: SampleImage.jpeg(1200, 900))
    fixture.held.answer(LoaderFixture.url("failed"), FutureImage.Response(status: 404))
    await waitWhile(!futures[0].phase.isFinal || !futures[1].phase.isFinal)
    fixture.held.begin(LoaderFixture.url("loading"), with: Data(count: 45), of: 100)
    await waitWhile(futures[2].progress.fractionCompleted == 0)
    let ready = try entry("ready")
    #expect(ready.phase == "ready")
    #expect(ready.wholeSize == FutureImage.PixelSize(width: 1200, height: 900))
    #expect(ready.decodedSize == FutureImage.PixelSize(width: 150, height: 113))
    #expect(ready.pixelBytes == 150 * 113 * 4)
    let inventory = fixture.loader.currentInventory
    #expect(inventory.poolBytes == fixture.loader.pixelBytes)
    #expect(inventory.pixelBytes == ready.pixelBytes)
    let loading = try entry("loading").phase
    #expect(loading.hasPrefix("loading ") && loading.hasSuffix("%"))
    // Without a disk cache, the future retains its bytes.
    let encoded = "\((ready.encodedBytes + 500) / 1_000) KB"
    let column = encoded.padding(toLength: "encoded".count, withPad: " ", startingAt: 0)
    #expect(
      inventory.description.split(separator: "\n").map(String.init) == [
        "3 futures: 1 ready, 1 loading, 1 failed. Pixels: 68 KB. Pool: 68 KB. Encoded: \(encoded).",
        "phase               whole       decoded    pixels  encoded  held by  key",
        "ready               1200 × 900  150 × 113  68 KB   \(column)  1 view   https://shop.test/ready.jpg",
        "failed: status 404  -           -          -       -        1 view   https://shop.test/failed.jpg",
        "\(loading)         -           -          -       -        1 view   https://shop.test/loading.jpg"
      ])
    withExtendedLifetime(views) {}
  }

  @Test func `a future is listed as held only by the model while no view and no prefetch holds the future`() throws {
    let (future, view) = (fixture.future(), imageView(10))
    let prefetch = [future].prefetch(\.self)
    view.futureImage = future
    #expect(try entry("a").holders == "1 view, 1 prefetch" && entry("a").isModelOnly == false)
    prefetch.cancel()
    #expect(try entry("a").isModelOnly == false)
    view.image = nil
    #expect(try entry("a").isModelOnly)
  }

  @Test func `a future with encoded bytes is listed before a future without bytes`() async throws {
    let fetched = fixture.future("z", policy: .modelOnly)
    await fixture.serve("z")
    let waiting = fixture.future("b")
    await fixture.held.waitForHeld()
    let entries = fixture.loader.currentInventory.entries
    #expect(entries.map(\.key) == ["z", "b"].map { LoaderFixture.url($0).absoluteString })
    #expect(entries.first?.pixelBytes == 0 && entries.first?.encodedBytes != 0)
    withExtendedLifetime((fetched, waiting)) {}
  }

  @Test func `a future without a source has no reader`() {
    #expect(FutureImage().reader == nil)
  }

  @Test func `if futures share the bytes of one image, the inventory counts the bytes only once`() async throws {
    let futures = [fixture.future(), fixture.future()]
    async let images = futures.images()
    await fixture.held.waitForHeld()
    fixture.held.resolve(with: SampleImage.jpeg(100, 100))
    let alive = try await images
    let inventory = fixture.loader.currentInventory
    #expect(inventory.entries.map(\.pixelBytes) == [40_000, 40_000])
    #expect(inventory.pixelBytes == 40_000)
    #expect(inventory.entries.allSatisfy { $0.encodedBytes > 0 })
    #expect(inventory.encodedBytes == inventory.entries[0].encodedBytes)
    withExtendedLifetime(alive) {}
  }

  @Test func `an inventory retains neither futures nor images`() async throws {
    var future: FutureImage? = fixture.future(policy: .modelOnly)
    weak let gone = future
    weak let image = try await served(future)
    let inventory = fixture.loader.currentInventory
    #expect(inventory.entries.count == 1)
    future = nil
    await fixture.loader.waitForIdle()
    // The thread that decoded the image may retain the image and the future a moment longer.
    await waitWhile(gone != nil)
    await waitWhile(image != nil)
    #expect(inventory.entries.count == 1)
    #expect(fixture.loader.currentInventory.entries.isEmpty)
  }

  private func served(_ future: FutureImage?) async throws -> UIImage? {
    async let image = future?.value
    await fixture.serve()
    return try await image
  }

  /// A view whose image getter runs the app's code.
  private final class CallbackView: UIImageView {
    var onGet: @MainActor () -> Void = {}

    override var image: UIImage? {
      get {
        let action = onGet
        onGet = {}
        action()
        return super.image
      }
      set { super.image = newValue }
    }
  }

  @Test func `if a view's image getter changes bindings while an inventory is made, the inventory lists the changed bindings`() async throws
  {
    let view = CallbackView(frame: CGRect(x: 0, y: 0, width: 10, height: 10))
    let others = [imageView(10), imageView(10)]
    let future = fixture.future()
    view.futureImage = future
    for other in others { other.futureImage = future }
    view.onGet = { [fixture] in
      others[0].futureImage = fixture.future("other")
      _ = fixture.loader.currentInventory
    }
    #expect(try entry("a").views == 2)
  }
}
