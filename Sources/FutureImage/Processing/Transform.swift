extension FutureImage {
  /// What is done to a picture's pixels after decoding: a chain of named steps.
  ///
  ///     FutureImage(at: url, transform: .roundedCorners(8))
  ///     FutureImage(at: url, transform: .custom("sepia") { try sepia($0) }.then(.circle))
  ///
  /// Two transforms are equal if their names are: pixels are kept by them, and futures with equal transforms share a decode. The bytes are
  /// downloaded once for all. Steps run on the loader's decoding queue, on the picture as it was reduced for its view.
  public struct Transform: Hashable, Sendable, CustomStringConvertible {
    private struct Step: Hashable, Sendable {
      let name: String
      let apply: @Sendable (PixelBuffer) throws -> PixelBuffer

      static func == (lhs: Step, rhs: Step) -> Bool { lhs.name == rhs.name }
      func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    private var steps: [Step]

    /// The steps' names, in order.
    public var description: String { steps.map(\.name).joined(separator: ", ") }

    /// One step of the app's own.
    /// - Parameters:
    ///   - name: stands for what it does, with all that it depends on: another radius needs another name.
    ///   - body: any thread, several at once. What it throws fails the picture.
    public static func custom(_ name: String, _ body: @escaping @Sendable (PixelBuffer) throws -> PixelBuffer) -> Transform {
      Transform(steps: [Step(name: name, apply: body)])
    }

    /// This one first, then the other.
    public func then(_ other: Transform) -> Transform { Transform(steps: steps + other.steps) }

    func apply(to buffer: PixelBuffer) throws(Failure) -> PixelBuffer {
      var buffer = buffer
      for step in steps {
        do {
          buffer = try step.apply(buffer)
        } catch {
          throw Failure(.transformFailed("\(step.name): \(error)"), underlying: error)
        }
      }
      return buffer
    }
  }
}
