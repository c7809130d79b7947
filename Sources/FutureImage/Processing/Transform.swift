extension FutureImage {
  /// The changes to an image's pixels after decoding: a chain of named steps.
  ///
  ///     FutureImage(at: url, transform: .roundedCorners(8))
  ///     FutureImage(at: url, transform: .resize(to: CGSize(width: 160, height: 120), .fill).then(.blur(4)))
  ///     FutureImage(at: url, transform: .custom("sepia") { try sepia($0) }.then(.circle))
  ///
  /// Two transforms are equal if the names of their steps are equal. Pixels are stored under those names, and futures with equal transforms
  /// share a decode. All transforms of an image share one download. Steps run on the loader's decoding queue. They get the image in a
  /// reduced size, because no more of it is decoded than the view needs for the result.
  ///
  /// Lengths are in points. The size of the image in points is the size with which its future was created. If there is no such size, each
  /// pixel of the file is a point. Colors are weighted by their alpha, so transparent pixels do not affect the colors of other pixels.
  public struct Transform: Hashable, Sendable {
    struct Link: Hashable, Sendable {
      let name: String
      /// Whether the app defined the step. An app may choose a name that the library uses, too.
      var isCustom = false
      /// Whether the step's change of the pixels cuts a shape out of the image.
      var isMask = false
      let effects: [Effect]

      static func == (lhs: Link, rhs: Link) -> Bool { lhs.name == rhs.name && lhs.isCustom == rhs.isCustom }
      func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    enum Effect: Sendable {
      /// A change of the pixels. It is expected to preserve the shape, but a step of the app may change the shape.
      case pixels(@Sendable (PixelBuffer) throws -> PixelBuffer)
      /// A change of the shape. The argument is the size in points before the change.
      case frame(@Sendable (Vector) -> Frame)
    }

    private(set) var links: [Link]

    init(_ name: String, _ effects: Effect...) {
      links = [Link(name: name, effects: effects)]
    }

    /// A transform with only the steps that give the image its shape: those that crop it, resize it, or only cut its corners. Nil if there
    /// are no such steps.
    var shape: Transform? {
      var transform = self
      transform.links = links.filter { link in
        link.isMask || link.effects.allSatisfy { if case .frame = $0 { true } else { false } }
      }
      return transform.links.isEmpty ? nil : transform
    }

    /// Returns a transform of one step, whose change of the pixels cuts a shape out of the image.
    static func mask(_ name: String, _ effects: Effect...) -> Transform {
      var transform = Transform(name)
      transform.links = [Link(name: name, isMask: true, effects: effects)]
      return transform
    }

    /// The names of the steps, in order.
    var names: String { links.map(\.name).joined(separator: ", ") }

    /// Creates a transform of one step that the app defines.
    ///
    /// The step may return an image of another shape, but the loader cannot know that beforehand. A view then gets the pixels that it would
    /// need for the unchanged shape. If possible, use ``crop(_:)`` or ``resize(to:_:enlarges:scale:)`` to change the shape.
    /// - Parameters:
    ///   - name: a name that identifies the step and everything that the step depends on. For example, another radius needs another name.
    ///   - body: the change, such as a drawing or a filter. The closure gets the upright image in sRGB. The `scale` of the image is its
    ///     number of pixels per point. A reduced image has fewer pixels per point, so lengths in points mean the same at every size. The
    ///     `scale` of the result determines the result's size in points. The closure runs on any thread, and may run several times at once.
    ///     If it throws an error, or its result has no pixels, the image fails.
    public static func custom(_ name: String, _ body: @escaping @Sendable (BaseImage) throws -> BaseImage) -> Transform {
      var transform = Transform(name, .pixels { try $0.changed(by: body) })
      transform.links[0].isCustom = true
      return transform
    }

    /// Returns a transform that applies this transform first, then the other.
    public func then(_ other: Transform) -> Transform {
      var chain = self
      chain.links += other.links
      return chain
    }
  }
}
