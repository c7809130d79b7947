import FutureImage

/// An app that shows a list, then a detail page for each of four photos, then the list again, and then the list with new futures for the
/// same URLs. The figures are the requests, the decodes, and the frames without an image.
extension Benchmark {
  static let journey = Benchmark(name: "journey") {
    let scratch = try Scratch()
    let files = scratch.folder("files")
    let names = try Pictures.servePhotos(24, in: files)
    let nginx = try Nginx(serving: files, scratch: scratch)
    let urls = try names.map(nginx.url)
    let ours = try await walk(urls, scratch)
    let naive = await walkNaively(urls)
    return zip(["requests", "decodes", "frames with a placeholder"], zip(ours, naive)).enumerated().map { place, measured in
      // Each image is requested once, each thumbnail and each large image is decoded once, and no frame has a gap.
      let limits = [24.0, 28, 0]
      return Row(
        "list, detail, back, reload: \(measured.0)", [measured.1.0], limit: limits[place], unit: "", reference: [measured.1.1])
    }
  }

  private static let openedCount = 4

  @MainActor private static func walk(_ urls: [URL], _ scratch: Scratch) async throws -> [Double] {
    let loader = FutureImage.Loader.fresh(disk: scratch.folder())
    var gaps = 0
    var models = urls.map { FutureImage(at: $0, loader: loader) }
    let list = ImageViews(urls.count, side: 160)
    list.show(models)
    await list.full()
    for index in 0..<openedCount {
      let page = ImageViews(1, side: 700)
      page.show([models[index]])
      gaps += page.gaps
      await page.full()
    }
    list.show(models)
    gaps += list.gaps
    await list.full()
    models = urls.map { FutureImage(at: $0, loader: loader) }
    list.show(models)
    gaps += list.gaps
    await list.full()
    await loader.waitUntilIdle()
    let statistics = loader.statistics
    return [Double(statistics.requests), Double(statistics.decodes), Double(gaps)]
  }

  @MainActor private static func walkNaively(_ urls: [URL]) async -> [Double] {
    NaiveFuture.counts = NaiveFuture.Counts()
    var gaps = 0
    let list = ImageViews(urls.count, side: 160)
    func show(_ models: [NaiveFuture], in gallery: ImageViews) async {
      for (model, view) in zip(models, gallery.views) { model.show(in: view) }
      gaps += gallery.gaps
      for model in models { await model.arrived() }
    }
    var models = urls.map { NaiveFuture($0) }
    await show(models, in: list)
    gaps = 0
    for index in 0..<openedCount { await show([models[index]], in: ImageViews(1, side: 700)) }
    await show(models, in: list)
    models = urls.map { NaiveFuture($0) }
    await show(models, in: list)
    return [Double(NaiveFuture.counts.requests), Double(NaiveFuture.counts.decodes), Double(gaps)]
  }
}

extension ImageViews {
  /// The number of views that would not show their image if a frame were drawn now.
  fileprivate var gaps: Int { views.count { $0.image?.cgImage == nil } }
}
