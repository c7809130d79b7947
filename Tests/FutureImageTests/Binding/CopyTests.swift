#if canImport(UIKitStandIn) && !canImport(UIKit)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// UIKit copies an image without calling the code of its class, so every byte of the copy's Swift properties may be zero.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct CopyTests {
  let fixture = LoaderFixture()

  private func loaded(_ width: CGFloat = 100) async throws -> UIImage {
    let view = imageView(width)
    let future = fixture.future()
    view.futureImage = future
    await fixture.serve()
    return try #require(view.image)
  }

  @Test(arguments: [100, 1200]) func `a zeroed copy of a loaded image can be drawn, measured, and destroyed safely`(width: Int) async throws
  {
    let image = try await loaded(CGFloat(width))
    let copy = image.zeroedCopy()
    #expect(copy.cgImage === image.cgImage)
    #expect(copy.size.width > 0 && copy.size.height > 0)
    #expect(copy.images == nil && copy.duration == 0 && copy.scale == image.scale)
    #expect(copy.isEqual(copy) && copy.hash == copy.hash)
    #expect(copy.withConfiguration(UIImage.Configuration(traitCollection: UITraitCollection(displayScale: 3))).cgImage === image.cgImage)
  }

  @Test func `a zeroed copy of a future draws the placeholder, has the placeholder's size, and is destroyed safely`() {
    let future = fixture.future(placeholder: SampleImage.image(10, 8), size: CGSize(width: 30, height: 20))
    let copy = future.zeroedCopy()
    #expect(type(of: copy) == FutureImage.self)
    #expect(copy.cgImage === future.cgImage && copy.size == CGSize(width: 10, height: 8))
    #expect(copy.images == nil && copy.duration == 0)
    #expect(copy.isEqual(copy) && !copy.isEqual(future))
    let view = imageView(100)
    view.image = copy
    #expect(view.displayedBitmap === future.cgImage)
  }

  @Test func `every member of a future is safe to call on its zeroed copy`() async throws {
    let copy = try #require(fixture.future(placeholder: SampleImage.image(10, 8)).zeroedCopy() as? FutureImage)
    #expect(copy.key.isEmpty)
    #expect(copy.image === copy)
    if case .ready = copy.phase {} else { Issue.record("the copy has its own pixels and no source, but is not ready") }
    #expect(try await copy.value === copy)
    #expect(copy.progress.completedUnitCount == copy.progress.totalUnitCount)
    var phases = 0
    for await _ in copy.phases() { phases += 1 }
    #expect(phases == 1)
    copy.cancel()
    copy.reload()
    let view = imageView(100)
    view.futureImage = copy
    view.display(copy, .init(transition: .fade(), placeholder: SampleImage.image(1, 1), retriesOnTap: true) { _ in })
    #expect(view.image === copy)
    await withCheckedContinuation { continuation in copy.whenReady { _ in continuation.resume() } }
    let prefetch = [copy].prefetch(\.self)
    prefetch.cancel()
    copy.measureViews()
    var fitted: [FutureImage.Phase] = []
    for await phase in copy.phases(fitting: .fit(width: 5, height: 5)) { fitted.append(phase) }
    #expect(fitted.count == 1)
    #expect(await [copy].reload().count == 1)
    #expect(copy.withRenderingMode(.alwaysTemplate).cgImage != nil)
    #expect(copy.withTintColor(.red).cgImage != nil)
    let subscription = FutureImage.Subscription(of: copy, fitting: .fit(width: 5, height: 5))
    subscription.fitting = .full
    #expect(subscription.image === copy)
    subscription.end()
    #expect(try await copy.value(resizedTo: FutureImage.PixelSize(width: 5, height: 4)).cgImage?.width == 5)
    #expect(try await [copy].images().count == 1)
    #expect([copy].progress.isFinished)
  }

  @Test func `each call that needs a source reports that a zeroed copy has none`() throws {
    let copy = try #require(fixture.future(placeholder: SampleImage.image(10, 8)).zeroedCopy() as? FutureImage)
    let requests: [(name: String, make: @MainActor (FutureImage) -> Void)] = [
      ("cancel", { $0.cancel() }), ("reload", { $0.reload() }), ("measure", { $0.measureViews() }), ("progress", { _ = $0.progress }),
      ("progress of many", { _ = [$0].progress }), ("prefetch", { [$0].prefetch(\.self).cancel() }), ("phase", { _ = $0.phase }),
      ("subscription", { _ = FutureImage.Subscription(of: $0) })
    ]
    for request in requests {
      let messages = Lock<[String]>([])
      let warning = DeveloperWarning(request.name) { text in messages.withLock { $0.append(text) } }
      DeveloperWarning.$futureWithoutSource.withValue(warning) { request.make(copy) }
      #expect(messages.withLock { $0 } == [request.name])
    }
  }

  @Test func `only the first zeroed copy causes a warning, even if a second copy is shown and its image is requested`() async throws {
    let messages = Lock<[String]>([])
    let warning = DeveloperWarning("a copy") { text in messages.withLock { $0.append(text) } }
    try await DeveloperWarning.$futureWithoutSource.withValue(warning) {
      let copies = try (0..<2).map { _ in try #require(fixture.future(placeholder: SampleImage.image(10, 8)).zeroedCopy() as? FutureImage) }
      imageView(100).futureImage = copies[0]
      #expect(messages.withLock { $0 } == ["a copy"])
      imageView(100).futureImage = copies[1]
      _ = try await copies[1].value
      #expect(messages.withLock { $0 } == ["a copy"])
    }
  }

  @Test func `a zeroed copy whose image is requested causes a warning even if no view shows the copy`() async throws {
    let messages = Lock<[String]>([])
    let warning = DeveloperWarning("a copy") { text in messages.withLock { $0.append(text) } }
    try await DeveloperWarning.$futureWithoutSource.withValue(warning) {
      let copy = try #require(fixture.future(placeholder: SampleImage.image(10, 8)).zeroedCopy() as? FutureImage)
      #expect(try await copy.value === copy)
      _ = (copy.phase, copy.image)
    }
    #expect(messages.withLock { $0 } == ["a copy"])
  }

  @Test func `every image that UIKit derives from a loaded image has the size and the decode step of the loaded image`() async throws {
    let image = try await loaded()
    #expect(image.size == CGSize(width: 1200, height: 900) && image.step < .full)
    let copies = [
      image.withRenderingMode(.alwaysTemplate), image.withTintColor(.red), image.withTintColor(.red, renderingMode: .alwaysOriginal),
      image.withAlignmentRectInsets(.zero), image.withBaselineOffset(fromBottom: 1), image.imageFlippedForRightToLeftLayoutDirection(),
      image.withHorizontallyFlippedOrientation(), image.imageRestrictedToStandardDynamicRange()
    ]
    for copy in copies {
      #expect(copy.size == image.size && copy.step == image.step && copy.naturalSize == image.naturalSize)
    }
    #expect(copies[0].renderingMode == .alwaysTemplate)
    #expect(try #require(image.preparingForDisplay()).size == image.size)
    #expect(try #require(image.preparingThumbnail(of: CGSize(width: 40, height: 30))).size.width <= 41)
  }

  @Test func `a template that is derived from a future shows the placeholder and then the loaded image, both as templates`() async throws {
    let future = fixture.future(placeholder: SampleImage.image(10, 10))
    let template = future.withRenderingMode(.alwaysTemplate)
    #expect(template.renderingMode == .alwaysTemplate)
    let view = imageView(100)
    view.display(template)
    #expect(view.displayedImage?.renderingMode == .alwaysTemplate && view.displayedBitmap != nil)
    await fixture.serve()
    #expect(view.displayedBitmap?.width ?? 0 >= 100)
    #expect(view.image?.renderingMode == .alwaysTemplate)
    #expect(view.image?.size == CGSize(width: 1200, height: 900))
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `a tinted future delivers a tinted image through value, image, and phase`() async throws {
    let future = try #require(fixture.future().withTintColor(.red, renderingMode: .alwaysOriginal) as? FutureImage)
    async let value = future.value
    await fixture.serve()
    #expect(try await value.tintColor == .red)
    #expect(future.image?.tintColor == .red && future.image?.renderingMode == .alwaysOriginal)
    if case .ready(let image) = future.phase { #expect(image.tintColor == .red) } else { Issue.record("the future is not ready") }
  }

  @Test func `deriving a tinted future does not change the image of the original future`() async throws {
    let cache = NSCache<NSString, UIImage>()
    let future = fixture.future(policy: .using(cache: cache, key: "a"))
    let tinted = try #require(future.withTintColor(.red) as? FutureImage)
    async let value = tinted.value
    await fixture.serve()
    _ = try await value
    #expect(try await future.value.tintColor == nil)
  }

  @Test func `an archived future is unarchived as a plain UIImage with the placeholder's size`() throws {
    let future = fixture.future(placeholder: SampleImage.image(10, 8))
    #expect(ObjectIdentifier(future.classForCoder) == ObjectIdentifier(UIImage.self))
    #expect(FutureImage.supportsSecureCoding)
    let data = try NSKeyedArchiver.archivedData(withRootObject: future, requiringSecureCoding: true)
    let image = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: UIImage.self, from: data))
    #expect(type(of: image) == UIImage.self && image.size == CGSize(width: 10, height: 8))
  }

  @Test func `an archived image is unarchived as a plain UIImage`() async throws {
    let image = try await loaded()
    let data = try NSKeyedArchiver.archivedData(withRootObject: image, requiringSecureCoding: true)
    let unarchived = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: UIImage.self, from: data))
    #expect(type(of: unarchived) == UIImage.self && unarchived.cgImage?.width == image.cgImage?.width)
  }

  @Test func `an image at full size is a plain UIImage if its future has neither a transform nor a size in points`() async throws {
    let future = fixture.future()
    async let value = future.value
    await fixture.serve()
    #expect(type(of: try await value) == UIImage.self)
  }

  @Test func `if a future has no placeholder, its template has the template rendering mode before the image loads`() {
    #expect(fixture.future().withRenderingMode(.alwaysTemplate).renderingMode == .alwaysTemplate)
  }

  @Test func `deriving the same mode or tint twice returns the same future as long as that future is retained`() {
    let future = fixture.future(placeholder: SampleImage.image())
    let template = future.withRenderingMode(.alwaysTemplate)
    #expect(future.withRenderingMode(.alwaysTemplate) === template && future.withRenderingMode(.alwaysOriginal) !== template)
    let tinted = future.withTintColor(.red)
    #expect(future.withTintColor(UIColor(red: 1, green: 0, blue: 0, alpha: 1)) === tinted && future.withTintColor(.green) !== tinted)
    #expect(future.withTintColor(.red, renderingMode: .alwaysOriginal) !== tinted)
    #expect(template.withTintColor(.red) !== tinted && template.withTintColor(.red) === template.withTintColor(.red))
    weak var gone: UIImage?
    do {
      let original = future.withRenderingMode(.alwaysOriginal)
      gone = original
      #expect(future.withRenderingMode(.alwaysOriginal) === original)
    }
    #expect(gone == nil)
  }

  @Test func `a future that already has a rendering mode returns itself for that mode`() {
    let (future, template) = (fixture.future(), fixture.future(placeholder: SampleImage.image().withRenderingMode(.alwaysTemplate)))
    #expect(future.withRenderingMode(.automatic) === future)
    let derived = future.withRenderingMode(.alwaysTemplate)
    #expect(derived.withRenderingMode(.alwaysTemplate) === derived && derived.withRenderingMode(.automatic) !== future)
    // Only the placeholder of the future `template` is a template. The loader delivers the image of this future in automatic mode.
    #expect(template.withRenderingMode(.alwaysTemplate) !== template && template.withRenderingMode(.automatic) !== template)
  }

  @Test func `a view that displays the same template again shows the loaded image, not the placeholder`() async {
    let (view, future) = (imageView(100), fixture.future())
    view.display(future.withRenderingMode(.alwaysTemplate))
    await fixture.serve()
    let shown = view.image
    #expect(shown?.renderingMode == .alwaysTemplate && !(shown is FutureImage))
    // Only the view retains the template now.
    view.display(future.withRenderingMode(.alwaysTemplate))
    #expect(view.image?.renderingMode == .alwaysTemplate && !(view.image is FutureImage))
  }

  @Test func `the image and the value of a tinted future are the same object`() async throws {
    let future = try #require(fixture.future().withTintColor(.red) as? FutureImage)
    async let value = future.value
    await fixture.serve()
    let image = try await value
    #expect(future.image === image)
    #expect(try await future.value === image)
  }

  @Test func `a second view of a tinted future reuses the pixels that the first view shows, without a decode`() async throws {
    let fixture = LoaderFixture(disk: .temporary(), maxPixelBytes: 0)
    let future = try #require(fixture.future().withTintColor(.red) as? FutureImage)
    let (first, second) = (imageView(100), imageView(100))
    first.futureImage = future
    await fixture.serve()
    let decodes = fixture.loader.statistics.decodes
    second.futureImage = future
    await fixture.loader.waitForIdle()
    #expect(second.image === first.image && fixture.loader.statistics.decodes == decodes)
  }

  @Test func `a future does not retain another future that is its placeholder`() {
    weak var first: FutureImage?
    let second: FutureImage
    do {
      let future = fixture.future(placeholder: SampleImage.image(10, 8))
      first = future
      second = fixture.future("b", placeholder: future)
    }
    #expect(first == nil)
    #expect(second.size == CGSize(width: 10, height: 8) && second.cgImage != nil)
  }
}
#endif
