extension FutureImage {
  /// The changes to an image's pixels after decoding: a chain of named steps.
  ///
  ///     FutureImage(at: url, transform: .roundedCorners(8))
  ///     FutureImage(at: url, transform: .resize(to: CGSize(width: 160, height: 120), .fill).then(.blur(4)))
  ///     FutureImage(at: url, transform: .custom("sepia") { try sepia($0) }.then(.circle))
  ///
  /// Two transforms are equal if their names are. Pixels are stored under those names, and futures with equal transforms share a decode.
  /// The bytes are downloaded once for all. Steps run on the loader's decoding queue, on the image as it was reduced for its view: no more
  /// of it is decoded than the view needs of the result.
  ///
  /// Lengths are in points. The size of the image in points is the one that its future was given; otherwise a pixel of the file is a point.
  /// Colors count by their alpha: transparent pixels leave no trace in others.
  public struct Transform: Hashable, Sendable, CustomStringConvertible {
    struct Link: Hashable, Sendable {
      let name: String
      /// An app may choose a name that the library uses, too.
      var isCustom = false
      /// Whether its change of the pixels cuts a shape out of the image.
      var isMask = false
      let effects: [Effect]

      static func == (lhs: Link, rhs: Link) -> Bool { lhs.name == rhs.name && lhs.isCustom == rhs.isCustom }
      func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    enum Effect: Sendable {
      /// A change of the pixels. It is expected to preserve the shape, but an app's own step may change it nevertheless.
      case pixels(@Sendable (PixelBuffer) throws -> PixelBuffer)
      /// A change of the shape, given the size before it in points.
      case frame(@Sendable (Vector) -> Frame)
    }

    private(set) var links: [Link]

    init(_ name: String, _ effects: Effect...) {
      links = [Link(name: name, effects: effects)]
    }

    /// The steps that give the image its shape: those that crop it, resize it, or cut its corners. Nil if there is none.
    var shape: Transform? {
      var transform = self
      transform.links = links.filter { link in
        link.isMask || link.effects.allSatisfy { if case .frame = $0 { true } else { false } }
      }
      return transform.links.isEmpty ? nil : transform
    }

    /// Returns a transform of one step, whose change of the pixels cuts a shape.
    static func mask(_ name: String, _ effects: Effect...) -> Transform {
      var transform = Transform(name)
      transform.links = [Link(name: name, isMask: true, effects: effects)]
      return transform
    }

    /// The names of the steps, in order.
    public var description: String { links.map(\.name).joined(separator: ", ") }

    /// Creates a transform of one step of the app's own.
    ///
    /// The step may return an image of another shape, but the loader does not know that beforehand. A view then gets the pixels that it
    /// would need of the unchanged shape. Where possible, let ``crop(_:)`` or ``resize(to:_:enlarges:scale:)`` change the shape.
    /// - Parameters:
    ///   - name: a name for the step and for everything that it depends on: another radius needs another name.
    ///   - body: the change, which runs on any thread, several times at once. An error that it throws fails the image. The `scale` of the
    ///     result determines its size in points.
    public static func custom(_ name: String, _ body: @escaping @Sendable (PixelBuffer) throws -> PixelBuffer) -> Transform {
      var transform = Transform(name, .pixels(body))
      transform.links[0].isCustom = true
      return transform
    }

    /// Returns a transform that applies this one first, then the other.
    public func then(_ other: Transform) -> Transform {
      var chain = self
      chain.links += other.links
      return chain
    }
  }
}
