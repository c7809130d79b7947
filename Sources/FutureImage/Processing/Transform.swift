extension FutureImage {
  /// What is done to a picture's pixels after decoding: a chain of named steps.
  ///
  ///     FutureImage(at: url, transform: .roundedCorners(8))
  ///     FutureImage(at: url, transform: .resize(to: CGSize(width: 160, height: 120), .fill).then(.blur(4)))
  ///     FutureImage(at: url, transform: .custom("sepia") { try sepia($0) }.then(.circle))
  ///
  /// Two transforms are equal if their names are: pixels are kept by them, and futures with equal transforms share a decode. The bytes are
  /// downloaded once for all. Steps run on the loader's decoding queue, on the picture as it was reduced for its view: no more of it is
  /// decoded than the view needs of what comes out.
  ///
  /// Lengths are in points. The picture's own size in points is the one its future was given, else a pixel of the file is a point. Colours
  /// count by their alpha: what is transparent leaves no trace in what is not.
  public struct Transform: Hashable, Sendable, CustomStringConvertible {
    struct Link: Hashable, Sendable {
      let name: String
      /// An app may choose a name that is also one of ours.
      var isCustom = false
      let effects: [Effect]

      static func == (lhs: Link, rhs: Link) -> Bool { lhs.name == rhs.name && lhs.isCustom == rhs.isCustom }
      func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    enum Effect: Sendable {
      /// Of the pixels. The shape is taken to stay; an app's own step may change it nevertheless.
      case pixels(@Sendable (PixelBuffer) throws -> PixelBuffer)
      /// Of the shape: given the size before it, in points.
      case frame(@Sendable (Vector) -> Frame)
    }

    private(set) var links: [Link]

    init(_ name: String, _ effects: Effect...) {
      links = [Link(name: name, effects: effects)]
    }

    /// The steps' names, in order.
    public var description: String { links.map(\.name).joined(separator: ", ") }

    /// One step of the app's own.
    ///
    /// It may give back a picture of another shape, but nothing is known of that before: a view then gets the pixels that it would need of
    /// the unchanged shape. Where it can, let ``crop(_:)`` or ``resize(to:_:enlarges:scale:)`` change the shape.
    /// - Parameters:
    ///   - name: stands for what it does, with all that it depends on: another radius needs another name.
    ///   - body: any thread, several at once. What it throws fails the picture. The result's size in points is by its own `scale`.
    public static func custom(_ name: String, _ body: @escaping @Sendable (PixelBuffer) throws -> PixelBuffer) -> Transform {
      var transform = Transform(name, .pixels(body))
      transform.links[0].isCustom = true
      return transform
    }

    /// This one first, then the other.
    public func then(_ other: Transform) -> Transform {
      var chain = self
      chain.links += other.links
      return chain
    }
  }
}
