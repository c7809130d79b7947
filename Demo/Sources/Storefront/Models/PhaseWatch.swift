import FutureImage
import Observation

/// Tells a view how its future is getting on, from the moment it is made until it is let go.
@MainActor
public final class PhaseWatch {
  private let future: FutureImage
  private let tell: @MainActor (FutureImage.Phase) -> Void

  public init(_ future: FutureImage, tell: @escaping @MainActor (FutureImage.Phase) -> Void) {
    self.future = future
    self.tell = tell
    look()
  }

  private func look() {
    let phase = future.phase
    tell(phase)
    // Cells are filled again and again, and an observation lasts until the next change: begun on a ready picture, they would pile up.
    if case .ready = phase { return }
    withObservationTracking {
      _ = future.phase
    } onChange: { [weak self] in
      // Called before the change.
      Task { @MainActor in self?.look() }
    }
  }
}
