import Foundation
import Observation

@testable import FutureImage
@testable import FutureImageTesting

/// A stress test of rows like those of a SwiftUI list. Their layouts run late, and their views appear and disappear.
extension StressTest {
  /// Runs this test.
  /// - Returns: the faults: a row that does not show the photo that was set after the row's last act, a body that was not notified of a
  ///   change, and a subscription that outlived its row.
  static func rows(seed: UInt64, each count: Int) -> [String] {
    let stress = StressTest()
    stress.makeReliable()
    let server = StressThreads.task { await stress.serve(seed: seed) }
    var faults: [String] = []
    for number in 0..<names.count / 2 where faults.isEmpty {
      let pair = [names[2 * number], names[2 * number + 1]]
      let row = MainActor.assumeIsolated { StressRow(stress, pair) }
      _ = StressThreads.task { await row.run(seed << 4 + UInt64(number), acts: count / 8) }
      simulator.rest()
      _ = StressThreads.task { for name in pair { await stress.set(1, for: name) } }
      simulator.rest()
      faults = MainActor.assumeIsolated { row.faultsAtRest }
      for end in [StressRow.disappear, StressRow.end] {
        MainActor.assumeIsolated { end(row)() }
        simulator.rest()
        if MainActor.assumeIsolated({ row.hasCurrentBinding }) { faults.append("a subscription for \(pair[0]) outlived its row") }
      }
    }
    server.cancel()
    simulator.rest()
    return faults
  }
}

@MainActor private final class StressRow {
  private var shown: ShownImage? = ShownImage()
  private let futures: [FutureImage]
  private let names: [String]
  private var model = 0
  private var isVisible = false
  private var size = CGSize(width: 16, height: 12)
  /// The content of the last body.
  private var content: ShownImage.Content?
  /// Whether a change has invalidated the last body, or there has been no body.
  private var isInvalid = true
  /// The layouts of the last three bodies.
  private var layouts: [@MainActor (ShownImage) -> Void] = []

  init(_ stress: StressTest, _ names: [String]) {
    self.names = names
    futures = names.map { stress.make($0, .modelOnly) }
  }

  private var future: FutureImage { futures[model] }

  private var need: ShownImage.Need { ShownImage.Need(size: size, isFilled: false, scale: 1, isDark: false) }

  func run(_ seed: UInt64, acts: Int) async {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<acts {
      if isInvalid { update() }
      act(&random)
      await Task.yield()
    }
    if isInvalid { update() }
    StressThreads.note("appear")
    isVisible = true
    guard let shown else { return }
    shown.show(future, need)
    StressThreads.note("the layout of an earlier body")
    layouts.first?(shown)
  }

  private func update() {
    guard let shown else { return }
    let (future, need) = (future, need)
    isInvalid = false
    content = withObservationTracking {
      shown.content(of: future, isDark: false)
    } onChange: { [weak self] in
      MainActor.assumeIsolated { self?.isInvalid = true }
    }
    layouts = layouts.suffix(2) + [{ $0.layOut(future, need) }]
  }

  private func act(_ random: inout SeededGenerator) {
    guard let shown else { return }
    switch Int.random(in: 0..<9, using: &random) {
    case 0:
      StressThreads.note("grow")
      size = [CGSize(width: 32, height: 24), CGSize(width: 64, height: 48)].randomElement(using: &random) ?? size
      if isVisible { shown.show(future, need) }
    case 1:
      StressThreads.note("appear")
      isVisible = true
      shown.show(future, need)
    case 2:
      StressThreads.note("disappear")
      isVisible = false
      shown.leave()
    case 3:
      StressThreads.note("another model")
      model = 1 - model
      update()
      if isVisible { shown.show(future, need) }
    case 4:
      StressThreads.note("reload")
      future.reload()
    case 5:
      StressThreads.note("await the image")
      futures.randomElement(using: &random)?.wait(.full) { _ in }
    default:
      StressThreads.note("a layout")
      layouts.randomElement(using: &random)?(shown)
    }
  }

  var faultsAtRest: [String] {
    guard let shown, content != nil else { return [] }
    var faults: [String] = []
    let now = shown.content(of: future, isDark: false)
    if !isInvalid, now.image !== content?.image { faults.append("the body of \(names[model]) was not notified of its image") }
    let photo = now.image?.color.flatMap { PhotoHistory.photo(of: $0, among: 1...1) }
    if photo != 1 { faults.append("the row of \(names[model]) does not show the photo that was set last") }
    return faults
  }

  func disappear() { shown?.leave() }

  func end() {
    shown = nil
    layouts = []
  }

  var hasCurrentBinding: Bool { futures.contains { future in future.bindings.contains { $0.isCurrent } } }
}
