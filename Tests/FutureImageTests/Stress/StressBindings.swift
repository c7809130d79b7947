@testable import FutureImage

/// The last binding of each view of a stress test, and the phases that its presentation received.
@MainActor final class StressBindings {
  private typealias Modes = (image: UIView.ContentMode, placeholder: UIView.ContentMode, failure: UIView.ContentMode)

  /// The part of a view's presentation that tests check.
  private struct Look {
    let modes: Modes
    weak var future: FutureImage?
    /// The name of the last phase that the presentation received.
    var phase: String?
  }

  private enum Last {
    case presentation(Look)
    /// Bound without a presentation, or given an image or nil by the library.
    case plain
    /// Given an image by the app, which leaves the content mode as it is.
    case foreign
  }

  private struct Entry {
    weak var view: UIImageView?
    var number: Int
    var last: Last
  }

  /// The content modes of presentations. None is that of a new view.
  private static let modes: [Modes] = [
    (image: .scaleAspectFill, placeholder: .center, failure: .top),
    (image: .bottom, placeholder: .left, failure: .right)
  ]
  private static let ownMode = UIView.ContentMode.scaleAspectFit

  private var entries: [ObjectIdentifier: Entry] = [:]
  private var last = 0
  private var wrongCalls: [String] = []

  nonisolated init() {}

  /// - Parameter look: the number of its presentation; nil for none.
  func bind(_ view: UIImageView, to future: FutureImage, look: Int? = nil) {
    guard let look else {
      note(.plain, of: view)
      view.futureImage = future
      return
    }
    let modes = Self.modes[look % Self.modes.count]
    let (id, number) = (ObjectIdentifier(view), note(.presentation(Look(modes: modes, future: future)), of: view))
    let onPhase = { @MainActor [weak self] phase in _ = self?.told(phase, of: id, number) }
    view.display(future, FutureImage.Presentation(contentModes: modes, onPhase: onPhase))
  }

  /// Shows an image, which may be a future, without a presentation.
  func display(_ picture: UIImage?, in view: UIImageView) {
    note(.plain, of: view)
    view.display(picture)
  }

  /// Sets an image without the library, as an app may do.
  func put(_ image: UIImage?, in view: UIImageView) {
    note(.foreign, of: view)
    view.image = image
  }

  @discardableResult private func note(_ last: Last, of view: UIImageView) -> Int {
    self.last += 1
    entries[ObjectIdentifier(view)] = Entry(view: view, number: self.last, last: last)
    return self.last
  }

  private func told(_ phase: FutureImage.Phase, of id: ObjectIdentifier, _ number: Int) {
    guard var entry = entries[id], entry.view != nil else { return }
    guard entry.number == number, case .presentation(var look) = entry.last else {
      return wrongCalls.append("a former presentation was told of \(phase.name)")
    }
    look.phase = phase.name
    entry.last = .presentation(look)
    entries[id] = entry
  }

  /// The faults of the views when nothing changes anymore.
  func faults(_ views: [UIImageView]) -> [String] {
    wrongCalls + views.compactMap { view in entries[ObjectIdentifier(view)].flatMap { fault(of: view, $0.last) } }
  }

  private func fault(of view: UIImageView, _ last: Last) -> String? {
    switch last {
    case .foreign: return nil
    case .plain: return view.contentMode == Self.ownMode ? nil : "a view without a presentation has the content mode \(view.contentMode)"
    case .presentation(let look):
      guard let binding = look.future?.bindings.first(where: { $0.isIn(.view(view)) && $0.isCurrent }) else { return nil }
      let mode = binding.step == nil ? look.modes.placeholder : look.modes.image
      if view.contentMode != mode { return "a view has the content mode \(view.contentMode) instead of \(mode)" }
      // Pixels that only a memory tier has are released without a report.
      guard let future = look.future, look.phase != "ready", look.phase != future.phase.name else { return nil }
      // The report is pending.
      if future.withReader({ $0.pendingCommit != .none }) == true { return nil }
      return "a presentation was told of \(look.phase ?? "nothing") last, and its future is \(future.phase.name)"
    }
  }
}
