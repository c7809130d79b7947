extension FutureImage {
  /// Returns the image as the bytes of an image file: upright, in sRGB, and not larger than a box.
  ///
  ///     let thumbnail = try await photo.encoded(resizedTo: FutureImage.PixelSize(width: 320, height: 320), as: .webp)
  ///     return Response(type: thumbnail.format.mimeType, body: thumbnail.data)
  ///
  /// The loader's decoding queue decodes only as many pixels of the original as the result needs, and encodes them on the same thread. No
  /// pool and no cache stores the pixels or the result. The result has the transform of the future. If the original is an animation, and
  /// the format supports animations, the result has the frames of the animation, which are decoded and encoded one at a time. If the
  /// animation has more frames than ``DecodingLimits/maxFrames``, the result has every second, third, or fourth frame, and the loader
  /// reports ``Loader/Event/reducedAnimation(frames:of:width:height:)``.
  ///
  /// If the source makes pixels in any size, the result is made from the image that ``value(fitting:confirmed:)`` returns. The pool then
  /// stores the decoded pixels, and the result has only the first frame of an animation, and no EXIF data. A tint and a rendering mode of
  /// the future do not change the result, because views apply them when they draw. To write tinted pixels, use ``Transform/tint(_:)``.
  /// - Parameters:
  ///   - size: the box, in pixels. An image with fewer pixels is not enlarged. If nil, or if a side is not positive, the image has all of
  ///     its pixels.
  ///   - mode: `.fit` to get the whole image inside the box, `.fill` to cover the box and cut off the parts beyond it.
  ///   - encoding: the format, and its quality.
  ///   - confirmed: whether to wait until the source has confirmed or replaced a stale image. See ``value(fitting:confirmed:)``.
  /// - Throws: the reason why the image did not load; `.unsupported` if this platform cannot write the format; `.tooManyPixels` or, on
  ///   Apple's platforms, `.transformFailed` if the format does not support images of that size. If the waiting task is canceled, throws
  ///   `.cancelled`.
  public func encoded(
    resizedTo size: PixelSize? = nil, _ mode: Transform.ResizeMode = .fit, as encoding: Encoding, confirmed: Bool = false
  ) async throws(Failure) -> EncodedImage {
    let future = root
    let output = EncodedOutput(encoding, size, mode, future.descriptor?.loader.configuration.decodingLimits ?? DecodingLimits())
    // The image is encoded from its pixels if it has no bytes.
    guard let descriptor = future.descriptor, descriptor.source.sizedSource == nil else {
      return try await future.encodedFromPixels(output, confirmed: confirmed)
    }
    let start = confirmed ? descriptor.loader.configuration.now() : nil
    var encoded = try await future.encodedBytes()
    if let start {
      try await future.confirm(since: start)
      let generation = future.withReader { $0.picture?.generation }
      if generation != encoded.generation { encoded = try await future.encodedBytes() }
    }
    // On an avoided network, a smaller image takes the place of this one, and may have no bytes.
    if encoded.sized != nil { return try await future.encodedFromPixels(output, confirmed: false) }
    do {
      return try await encode(encoded, descriptor, output)
    } catch {
      guard error.isOfBytes else { throw error }
      // Requests one pixel, because a decode of these bytes fails at every size. That failure makes the loader remove the bytes from its
      // caches. If the bytes came from a disk, the loader also fetches the image again.
      _ = try await future.value(fitting: .fit(PixelSize(width: 1, height: 1)))
      return try await encode(future.encodedBytes(), descriptor, output)
    }
  }

  private func encode(_ encoded: Encoded, _ descriptor: Descriptor, _ output: EncodedOutput) async throws(Failure) -> EncodedImage {
    let (loader, key) = (descriptor.loader, descriptor.key)
    return try await loader.encode(output, named: key.text) { decoder, isCancelled in
      try output.image(
        of: encoded.data, encoded.size, descriptor.transform, points: descriptor.size, by: decoder, unless: isCancelled
      ) { report in
        switch report {
        case .fault(let fault): loader.report(fault: fault, key)
        case .reduced(let frames, let count, let size): loader.reportReduced(to: frames, of: count, size, key)
        }
      }
    }
  }

  private func encodedFromPixels(_ output: EncodedOutput, confirmed: Bool) async throws(Failure) -> EncodedImage {
    let image = try await value(fitting: output.fitting, confirmed: confirmed)
    guard let loader = descriptor?.loader else {
      do { return try output.image(of: image, by: StandardDecoder()) } catch { throw Failure(decoding: error).of(key) }
    }
    return try await loader.encode(output, named: key) { decoder, _ in try output.image(of: image, by: decoder) }
  }

  /// Returns the encoded bytes, from memory, a cache, or the source.
  private func encodedBytes() async throws(Failure) -> Encoded {
    try await awaited { future, id, end in future.waitForBytes(id, deliver: end) }
  }
}

extension FutureImage.Loader {
  /// Returns the image of a source as the bytes of an image file. A server calls this method once for each request.
  ///
  ///     let thumbnail = try await loader.encoded(.url(url), resizedTo: box, as: .webp, confirmed: true)
  ///
  /// Creates a future and calls ``FutureImage/encoded(resizedTo:_:as:confirmed:)``. The original comes from the loader's disk cache or from
  /// the source. Simultaneous calls with the same key share one transfer. If many calls encode local files at the same time, only a few of
  /// these files are in memory.
  /// - Parameters:
  ///   - source: the original.
  ///   - size: the box, in pixels; nil for all pixels of the image.
  ///   - mode: how the image is resized if its aspect ratio differs from that of the box.
  ///   - encoding: the format, and its quality.
  ///   - confirmed: whether to wait until the source has confirmed or replaced a stale image.
  /// - Throws: the same failures as ``FutureImage/encoded(resizedTo:_:as:confirmed:)``.
  public func encoded(
    _ source: FutureImage.Source, resizedTo size: FutureImage.PixelSize? = nil, _ mode: FutureImage.Transform.ResizeMode = .fit,
    as encoding: FutureImage.Encoding, confirmed: Bool = false
  ) async throws(FutureImage.Failure) -> FutureImage.EncodedImage {
    func encode() async throws -> FutureImage.EncodedImage {
      try await FutureImage(source, loader: self).encoded(resizedTo: size, mode, as: encoding, confirmed: confirmed)
    }
    do {
      // A closure may wait for another image. If closures waited for room, such an image might never get room. So only files wait for room.
      if source.isFile { return try await filesToEncode.withRoom(encode) }
      return try await encode()
    } catch {
      throw (error as? FutureImage.Failure ?? FutureImage.Failure(.cancelled)).of(source.key)
    }
  }

  /// Decodes bytes that the app has, such as an upload, and returns the image as the bytes of an image file.
  ///
  ///     let avatar = try await loader.encoded(upload, resizedTo: FutureImage.PixelSize(width: 512, height: 512), .fill, as: .jpeg)
  ///
  /// The result is upright and in sRGB. Apart from the pixels, it has no data of the original, unless the encoding retains the EXIF data.
  /// The work runs on the loader's decoding queue, within the loader's ``FutureImage/DecodingLimits``. Nothing is stored. See
  /// ``FutureImage/encoded(resizedTo:_:as:confirmed:)``.
  /// - Parameters:
  ///   - data: the whole file, in any format that the loader decodes.
  ///   - size: the box, in pixels; nil for all pixels of the image.
  ///   - mode: how the image is resized if its aspect ratio differs from that of the box.
  ///   - encoding: the format, and its quality.
  /// - Throws: `.undecodable`, `.unsupported`, `.tooManyPixels`, `.outOfMemory`, or `.transformFailed`. If the waiting task is canceled,
  ///   throws `.cancelled`.
  public func encoded(
    _ data: Data, resizedTo size: FutureImage.PixelSize? = nil, _ mode: FutureImage.Transform.ResizeMode = .fit,
    as encoding: FutureImage.Encoding
  ) async throws(FutureImage.Failure) -> FutureImage.EncodedImage {
    let output = EncodedOutput(encoding, size, mode, configuration.decodingLimits)
    return try await encode(output, named: "") { decoder, isCancelled in
      try output.image(of: data, decoder.size(of: data), nil, points: nil, by: decoder, unless: isCancelled) { _ in }
    }
  }

  /// Runs work on the decoding queue. Work whose task is canceled does not begin.
  fileprivate func encode(
    _ output: EncodedOutput, named key: String,
    _ work: @escaping @Sendable (any FaultReportingDecoder, _ isCancelled: () -> Bool) throws -> FutureImage.EncodedImage
  ) async throws(FutureImage.Failure) -> FutureImage.EncodedImage {
    let isCancelled = Lock(false)
    do {
      return try await withTaskCancellationHandler {
        try await decoding.run { [self] in
          let signpost = Signpost("encode", key)
          defer { signpost.end() }
          if isCancelled.withLock({ $0 }) { throw FutureImage.Failure(.cancelled) }
          return try work(configuration.decoder.reportingFaults) { isCancelled.withLock { $0 } }
        }
      } onCancel: {
        Scheduling.uninterrupted { isCancelled.withLock { $0 = true } }
      }
    } catch {
      throw FutureImage.Failure(decoding: error).of(key)
    }
  }
}

/// The requested file: its encoding, and its size.
private struct EncodedOutput: Sendable {
  let encoding: FutureImage.Encoding
  private let limits: FutureImage.DecodingLimits
  private let box: FutureImage.PixelSize?
  private let mode: FutureImage.Transform.ResizeMode

  init(
    _ encoding: FutureImage.Encoding, _ size: FutureImage.PixelSize?, _ mode: FutureImage.Transform.ResizeMode,
    _ limits: FutureImage.DecodingLimits
  ) {
    self.encoding = encoding
    self.limits = limits
    box = size.flatMap { $0.width > 0 && $0.height > 0 ? $0 : nil }
    self.mode = mode
  }

  /// A problem with the original that does not prevent the file from being made.
  enum Report {
    case fault(DecodingFault)
    /// The file has fewer frames than the original.
    case reduced(frames: Int, of: Int, FutureImage.PixelSize)
  }

  /// The pixels that the file needs from an image without bytes.
  var fitting: FutureImage.Fitting { box.map { FutureImage.Fitting($0, mode) } ?? .full }

  /// Returns the file of an image, made from the encoded bytes of the image.
  /// - Parameters:
  ///   - fullSize: the size of the image in pixels.
  ///   - transform: a transform to apply before the resize; nil for none.
  ///   - points: the size of the image in points, if it is known.
  func image(
    of data: Data, _ fullSize: FutureImage.PixelSize, _ transform: FutureImage.Transform?, points: CGSize?,
    by decoder: any FaultReportingDecoder, unless isCancelled: () -> Bool, report: (Report) -> Void
  ) throws -> FutureImage.EncodedImage {
    let pixels = Pixels(fullSize, transform, points: points, resizedTo: box, mode)
    guard encoding.format != .jpeg, let animation = try decoder.animation(of: data, size: pixels.decodedSize) else {
      let decoded = try decoder.decode(data, size: pixels.decodedSize) { report(.fault($0)) }
      return try file(of: pixels.bitmap(decoded), exif: data)
    }
    return try file(of: animation, pixels, data, unless: isCancelled, report: report)
  }

  /// Returns the file of an image that is already decoded.
  func image(of image: BaseImage, by decoder: any FutureImage.ImageDecoder) throws -> FutureImage.EncodedImage {
    let resize = box.map { FutureImage.Transform.resize(toPixels: $0, mode) }
    guard let bitmap = try image.resized(by: resize, decoder).cgImage else {
      throw FutureImage.Failure(.transformFailed("it has no pixels; use an image with pixels"))
    }
    return try file(of: bitmap, exif: nil)
  }

  private func file(of bitmap: CGImage, exif original: Data?) throws -> FutureImage.EncodedImage {
    let size = FutureImage.PixelSize(width: bitmap.width, height: bitmap.height)
    var writer = try makePlatformWriter(encoding, size, frames: 1, playCount: 0, exifOf: original)
    try writer.add(bitmap, for: 0)
    return FutureImage.EncodedImage(data: try writer.finish(), format: encoding.format, size: size)
  }

  /// Returns the file of an animation. If a frame after the first is broken, the file ends before that frame.
  private func file(
    of animation: any FutureImage.Animation, _ pixels: Pixels, _ data: Data, unless isCancelled: () -> Bool, report: (Report) -> Void
  ) throws -> FutureImage.EncodedImage {
    let durations = animation.durations.map(\.frameDuration)
    let (readCount, stride) = limits.framesToPlay(of: durations.count)
    let first = try pixels.bitmap(animation.frame(at: 0))
    let size = FutureImage.PixelSize(width: first.width, height: first.height)
    let count = (readCount + stride - 1) / stride
    var writer = try makePlatformWriter(encoding, size, frames: count, playCount: animation.playCount, exifOf: data)
    var written = 0
    for start in Swift.stride(from: 0, to: readCount, by: stride) {
      if isCancelled() { throw FutureImage.Failure(.cancelled) }
      let isFirst = start == 0
      guard let frame = isFirst ? first : try? draining({ try pixels.bitmap(animation.frame(at: start)) }) else { break }
      try draining { try writer.add(frame, for: durations[start..<min(start + stride, readCount)].reduce(0, +)) }
      written += 1
    }
    let platform = animation as? any PlatformAnimation
    for fault in platform?.faults ?? [] { report(.fault(fault)) }
    let originalCount = platform?.frameCount ?? durations.count
    if written < originalCount { report(.reduced(frames: written, of: originalCount, size)) }
    return FutureImage.EncodedImage(data: try writer.finish(), format: encoding.format, size: size)
  }

  /// The steps that turn decoded pixels into the pixels of the file.
  private struct Pixels {
    /// The size in pixels at which the original is decoded.
    let decodedSize: FutureImage.PixelSize
    private let transform: FutureImage.Transform?
    private let plan: FutureImage.Transform.Plan

    init(
      _ fullSize: FutureImage.PixelSize, _ transform: FutureImage.Transform?, points: CGSize?, resizedTo box: FutureImage.PixelSize?,
      _ mode: FutureImage.Transform.ResizeMode
    ) {
      let resize = box.map { FutureImage.Transform.resize(toPixels: $0, mode) }
      guard transform != nil || mode != .fit else {
        // The decoder makes exactly the pixels of the file, so no step follows.
        self.transform = nil
        plan = FutureImage.Transform.Plan(resize, fullSize: fullSize, points: nil)
        decodedSize = plan.whole
        return
      }
      self.transform = resize.map { transform?.then($0) ?? $0 } ?? transform
      plan = FutureImage.Transform.Plan(self.transform, fullSize: fullSize, points: points)
      decodedSize = plan.decoded(at: .full)
    }

    func bitmap(_ decoded: CGImage) throws(FutureImage.Failure) -> CGImage {
      guard let transform else { return decoded }
      return try transform.apply(to: decoded, scale: CGFloat(decoded.width) / CGFloat(plan.startPoints.x), plan, at: .full).image
    }
  }
}
