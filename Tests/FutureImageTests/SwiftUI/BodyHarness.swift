import Foundation
import Observation

@testable import FutureImage

/// A `FutureImageView` without SwiftUI. The harness evaluates the body as `FutureImageView.body` does, and assumes the facts about SwiftUI
/// that follow. The numbers are those of the list in `Tests/AppleFrameworks.md`. Where a fact is unknown, the harness assumes the worse
/// case.
///
/// - A body is evaluated again once after a value that it has read has changed (S13).
/// - State is retained for some time after the view was scrolled away (S2).
/// - A lazy stack evaluates bodies and layouts of views that never appear (S1).
/// - The geometry is reported after the update (S7), or never, if the row does not appear (S8, a guess).
/// - `onAppear` and `onDisappear` are called only if a test calls them (S1, S11).
@MainActor final class BodyHarness {
  var future: FutureImage?
  var size: CGSize
  var isDark = false
  private(set) var bodies = 0
  /// The number of bodies without pixels although the future had pixels.
  private(set) var lateBodies = 0
  private(set) var content: ShownImage.Content?
  private let shown: ShownImage

  init(_ future: FutureImage?, _ size: CGSize = CGSize(width: 80, height: 60), warnings: DeveloperWarnings = .shared) {
    self.future = future
    self.size = size
    shown = ShownImage(warnings: warnings)
  }

  private func need(_ size: CGSize?) -> ShownImage.Need {
    ShownImage.Need(size: size, isFilled: false, scale: 2, isDark: isDark)
  }

  /// Evaluates the body now, and again each time that the body is invalidated.
  func update() {
    bodies += 1
    content = withObservationTracking {
      shown.content(of: future, isDark: isDark)
    } onChange: { [weak self] in
      // The main dispatch queue is the main actor's executor.
      DispatchQueue.main.async { MainActor.assumeIsolated { self?.invalidate() } }
    }
    // This code reads the image of the future's reader. Reading the future's `image` would start a future that has requested nothing yet.
    if content?.image == nil, (future?.root.withReader(\.visible) ?? nil) != nil { lateBodies += 1 }
  }

  private func invalidate() {
    // Without the limit, a body that invalidates itself would be evaluated forever.
    if bodies < 1_000 { update() }
  }

  /// Evaluates the first body, lays the view out, and lets it appear.
  func start() {
    update()
    layOut()
    appear()
  }

  // The calls that `FutureImageView.body` makes.
  func layOut(isGuess: Bool = false) { shown.layOut(future, need(size), isGuess: isGuess) }
  func measure() { shown.show(future, need(size)) }
  func appear() { shown.appear(future, need(nil)) }
  func change() { shown.show(future, need(nil)) }
  func disappear() { shown.leave() }

  /// Runs the layout of an earlier body now.
  func layOutLate(_ earlier: FutureImage?) { shown.layOut(earlier, need(size)) }
}
