import Foundation
import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct PlaceholderGridTests {
  private typealias PixelSize = FutureImage.PixelSize

  @Test(
    arguments: [
      (300, 300, 32, 32, 32.0 / 300),
      (300, 200, 30, 20, 0.1),
      (90, 160, 18, 32, 0.2),
      (5000, 1, 32, 1, 32.0 / 5000),
      (1, 5000, 1, 32, 32.0 / 5000),
      (0.5, 0.5, 32, 32, 64)
    ] as [(Double, Double, Int, Int, Double)])
  func `the grid sizes are those that PlaceholderGrid documents`(width: Double, height: Double, across: Int, down: Int, scale: Double) {
    let grid = PlaceholderGrid(covering: CGSize(width: width, height: height))
    #expect(grid.size == PixelSize(width: across, height: down))
    #expect(abs(Double(grid.scale) - scale) < 1e-12)
  }

  @Test
  func `if an image's sides differ by at most a factor of 8, its grid has nearly the same aspect ratio, with an error below 3 percent`() {
    for width in stride(from: 10.0, through: 4000, by: 37) {
      for height in stride(from: 10.0, through: 4000, by: 41) where max(width, height) / min(width, height) <= 8 {
        let grid = PlaceholderGrid(covering: CGSize(width: width, height: height))
        #expect(20...32 ~= max(grid.size.width, grid.size.height))
        let seen = (Double(grid.size.width) / Double(grid.scale), Double(grid.size.height) / Double(grid.scale))
        #expect(abs(max(seen.0, seen.1) - max(width, height)) < 1e-9)
        #expect(abs(min(seen.0, seen.1) / min(width, height) - 1) < 0.03)
      }
    }
  }

  @Test func `the grid of an inverse aspect ratio has the same sides, swapped`() {
    for ratio in [1.0, 1.1, 1.25, 1.5, 16 / 9.0, 2.35, 7, 31.9] {
      let (wide, tall) = (PlaceholderGrid(aspectRatio: ratio), PlaceholderGrid(aspectRatio: 1 / ratio))
      #expect(wide.size == PixelSize(width: tall.size.height, height: tall.size.width) && wide.scale == 1)
    }
  }
}
