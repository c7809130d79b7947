import Foundation
import Testing

@testable import FutureImage

/// Futures with a constant phase, for previews of views.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ConstantTests {
  @Test func `a constant future has the given phase as soon as it is created`() {
    let image = SampleImage.image()
    let failure = FutureImage.Failure(.transport(.offline))
    #expect(FutureImage.constant(.ready(image)).image === image)
    #expect(FutureImage.constant(.failed(failure)).phase.failure?.reason == .transport(.offline))
    guard case .loading(0.4) = FutureImage.constant(.loading(0.4)).phase else { return #expect(Bool(false), "the future is not loading") }
    // The phase `.waiting` is treated as `.loading` without a fraction.
    guard case .loading(nil) = FutureImage.constant(.waiting).phase else { return #expect(Bool(false), "the future is not loading") }
    #expect(FutureImage.constant(.waiting, size: CGSize(width: 30, height: 20)).size == CGSize(width: 30, height: 20))
  }

  @Test func `a constant future with an animated image has all frames of the image`() {
    let frames = [SampleImage.image(64, 48), SampleImage.image(64, 48)]
    let animated = UIImage.animatedImage(with: frames, duration: 1)
    let future = FutureImage.constant(.ready(animated ?? frames[0]))
    #expect(future.image?.images?.count == 2)
    let view = imageView(64)
    view.futureImage = future
    #expect(view.image?.images?.count == 2)
  }

  @Test func `a view of a constant future shows its image, its placeholder, or its failure`() async {
    let (image, placeholder) = (SampleImage.image(64, 48), SampleImage.image(8, 6))
    let future = FutureImage.constant(.ready(image), placeholder: .image(placeholder))
    let view = imageView(64)
    view.futureImage = future
    #expect(view.image?.cgImage?.width == 64)
    let body = BodyHarness(future)
    body.update()
    #expect(body.content?.image === image)
    let loading = BodyHarness(.constant(.loading(0.2), placeholder: .image(placeholder)))
    loading.update()
    loading.layOut()
    #expect(loading.content?.image == nil && loading.content?.placeholder === placeholder)
    let failed = BodyHarness(.constant(.failed(FutureImage.Failure(.status(503)))))
    failed.layOut()
    failed.update()
    #expect(failed.content?.failure?.reason == .status(503))
  }

  @Test func `the phase of a constant future does not change by itself`() async {
    let failed = FutureImage.constant(.failed(FutureImage.Failure(.status(503))))
    let ready = FutureImage.constant(.ready(SampleImage.image()))
    let loading = FutureImage.constant(.loading(0.4))
    let views = [imageView(64), imageView(64), imageView(64)]
    for (view, future) in zip(views, [failed, ready, loading]) { view.futureImage = future }
    // Waits until the failed future and the ready future have ended their work. The work of the loading future never ends.
    await failed.descriptor?.loader.delivered()
    _ = try? await ready.value
    #expect(failed.phase.failure?.reason == .status(503))
    #expect(ready.phase.name == "ready")
    guard case .loading(0.4) = loading.phase else { return #expect(Bool(false), "the future is not loading") }
  }
}
