@testable import FutureImage

/// The last binding of each view of a stress test, and the last phase that the view's presentation received.
@MainActor final class StressBindings {
  private typealias Modes = (image: FutureImage.ContentMode, placeholder: FutureImage.ContentMode, failure: FutureImage.ContentMode)

  /// The part of a view's presentation that tests check.
  private struct Look {
    let modes: Modes
    weak var future: FutureImage?
    /// The name of the last phase that the presentation received.
    var phase: String?
  }

  private enum Last {
    case presentation(Look)
    /// The view was bound without a presentation, or displayed an image or nil through the library.
    case plain
    /// The app set an image without the library, so the content mode did not change.
    case foreign
  }

  private struct Entry {
    weak var view: UIImageView?
    var number: Int
    var last: Last
  }

  #if canImport(UIKit) || canImport(UIKitStandIn)
  /// The content modes of presentations. None of them is the content mode of a new view.
  private static let modes: [Modes] = [
    (image: .scaleAspectFill, placeholder: .center, failure: .top),
    (image: .bottom, placeholder: .left, failure: .right)
  ]
  private static let ownMode = FutureImage.ContentMode.scaleAspectFit

  private func contentMode(of view: UIImageView) -> FutureImage.ContentMode? { view.contentMode }
  #else
  private static let modes: [Modes] = [(image: .scaleAxesIndependently, placeholder: .scaleNone, failure: .scaleNone)]
  private static let ownMode = FutureImage.ContentMode.scaleProportionallyDown

  /// Returns nil. On a Mac, presentations change the scaling of AppKit's image views and buttons only, and the tests' `UIImageView` is
  /// neither.
  private func contentMode(of view: UIImageView) -> FutureImage.ContentMode? { nil }
  #endif

  private var entries: [ObjectIdentifier: Entry] = [:]
  private var lastNumber = 0
  private var wrongCalls: [String] = []

  nonisolated init() {}

  /// - Parameter look: the number of the presentation; nil if the view gets no presentation.
  func bind(_ view: UIImageView, to future: FutureImage, look: Int? = nil) {
    guard let look else {
      record(.plain, of: view)
      view.futureImage = future
      return
    }
    let modes = Self.modes[look % Self.modes.count]
    let (id, number) = (ObjectIdentifier(view), record(.presentation(Look(modes: modes, future: future)), of: view))
    let onPhase = { @MainActor [weak self] phase in _ = self?.received(phase, of: id, number) }
    view.display(future, FutureImage.Presentation(contentModes: modes, onPhase: onPhase))
  }

  /// Shows an image, which may be a future, without a presentation.
  func display(_ image: UIImage?, in view: UIImageView) {
    record(.plain, of: view)
    view.display(image)
  }

  /// Sets an image without the library, as an app may do.
  func put(_ image: UIImage?, in view: UIImageView) {
    record(.foreign, of: view)
    view.image = image
  }

  @discardableResult private func record(_ last: Last, of view: UIImageView) -> Int {
    lastNumber += 1
    entries[ObjectIdentifier(view)] = Entry(view: view, number: lastNumber, last: last)
    return lastNumber
  }

  private func received(_ phase: FutureImage.Phase, of id: ObjectIdentifier, _ number: Int) {
    guard var entry = entries[id], entry.view != nil else { return }
    guard entry.number == number, case .presentation(var look) = entry.last else {
      return wrongCalls.append("a former presentation received the phase \(phase.name)")
    }
    look.phase = phase.name
    entry.last = .presentation(look)
    entries[id] = entry
  }

  /// Returns the faults of the views. Call this method only when nothing changes anymore.
  func faults(_ views: [UIImageView]) -> [String] {
    wrongCalls + views.compactMap { view in entries[ObjectIdentifier(view)].flatMap { fault(of: view, $0.last) } }
  }

  private func fault(of view: UIImageView, _ last: Last) -> String? {
    switch last {
    case .foreign: return nil
    case .plain:
      guard let mode = contentMode(of: view), mode != Self.ownMode else { return nil }
      return "a view without a presentation has the content mode \(mode)"
    case .presentation(let look):
      guard let binding = look.future?.bindings.first(where: { $0.isIn(.view(view)) && $0.isCurrent }) else { return nil }
      let mode = binding.step == nil ? look.modes.placeholder : look.modes.image
      if let actual = contentMode(of: view), actual != mode { return "a view has the content mode \(actual) instead of \(mode)" }
      // A presentation that received "ready" is not checked, because the phase changes without a callback when a memory tier releases the
      // pixels.
      guard let future = look.future, look.phase != "ready", look.phase != future.phase.name else { return nil }
      // The presentation will receive the phase in a pending commit.
      if future.withReader({ $0.pendingCommit != .none }) == true { return nil }
      return "the last phase of a presentation is \(look.phase ?? "none"), but the phase of its future is \(future.phase.name)"
    }
  }
}
