/// The colors of an image's pixels, from the top left, row by row.
struct PixelColors {
  private let color: TestImage.Color?
  private var state: UInt64

  init(_ content: TestImage.Content) {
    switch content {
    case .color(let color): (self.color, state) = (color, 0)
    case .noise(let seed): (color, state) = (nil, seed)
    }
  }

  mutating func next() -> TestImage.Color {
    if let color { return color }
    // SplitMix64, as in Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", 2014.
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return TestImage.Color(
      red: UInt8(truncatingIfNeeded: mixed), green: UInt8(truncatingIfNeeded: mixed >> 8), blue: UInt8(truncatingIfNeeded: mixed >> 16))
  }
}
