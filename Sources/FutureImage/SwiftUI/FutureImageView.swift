#if canImport(SwiftUI)
import SwiftUI

/// A SwiftUI view that shows a future.
///
///     FutureImageView(item.photo, contentMode: .fill)
///       .frame(width: 120, height: 90)
///
/// The model owns the image. A view that appears when the image is loaded, by whichever view or task, shows it in its first body. Pixels
/// are decoded for the size of the view, and released when it goes. A tap after a failure requests the image again.
///
/// The view's size does not depend on the image's arrival: it is the proposed size, in the ratio that you give, or that of the future's
/// ``FutureImage/FutureImage/size`` if the model knows it. If neither is known and one side is not proposed, it is 4 : 3, so give a ratio
/// or a frame to rows of lists.
public struct FutureImageView<Content: View>: View {
  private let future: FutureImage?
  private let contentMode: ContentMode
  private let ratio: Double?
  private let content: (FutureImagePhase) -> Content

  // Without a subscription: from Xcode 27 on, the initial value is made once; before, with each body of the parent.
  @State private var shown = ShownImage()
  @Environment(\.displayScale) private var scale
  @Environment(\.colorScheme) private var colorScheme
  @Environment(\.accessibilityReduceMotion) private var reducesMotion

  /// Shows what your closure makes of the state of the image. The closure may return any number of views; they are one subview.
  /// - Parameters:
  ///   - future: the image; nil for a model without one.
  ///   - contentMode: how the image fills the view, which decides the pixels that are decoded.
  ///   - ratio: the width divided by the height, to reserve the space before the image is loaded.
  ///   - content: the views for a state. It is called with each body, and requests nothing.
  public init(
    _ future: FutureImage?, contentMode: ContentMode = .fit, ratio: Double? = nil,
    @ViewBuilder content: @escaping (FutureImagePhase) -> Content
  ) {
    self.future = future
    self.contentMode = contentMode
    self.ratio = ratio
    self.content = content
  }

  public var body: some View {
    let current = shown.content(of: future, isDark: colorScheme == .dark)
    ImageFrame(space: ReservedSpace(for: future, ratio: ratio, isFilled: contentMode == .fill), report: report) {
      ZStack { content(FutureImagePhase(current)) }
        .frame(maxWidth: .infinity, maxHeight: .infinity)
    }
    .clipped()
    .contentShape(.rect)
    .animation(reducesMotion ? nil : .easeIn(duration: 0.2), value: current.arrivals)
    .onGeometryChange(for: CGSize.self) {
      $0.size
    } action: {
      show($0)
    }
    .onChange(of: Showing(future: future.map { ObjectIdentifier($0.root) }, need: need(nil))) { show(nil) }
    .onAppear { shown.appear(future, need(nil)) }
    .onDisappear { shown.leave() }
    // Only after a failure: otherwise it would take the taps of a button or a link around the view.
    .gesture(TapGesture().onEnded { future?.reload() }, including: current.failure == nil ? .subviews : .all)
    .accessibilityElement(children: future?.alternativeText == nil ? .contain : .ignore)
    .accessibilityLabel(future?.alternativeText ?? "")
    .accessibilityValue(status(current))
    .accessibilityAddTraits(.isImage)
  }

  /// The words that VoiceOver reads after the label. The app's table of localized texts may have its own for "Loading".
  private func status(_ content: ShownImage.Content) -> Text {
    if content.isLoading && future != nil { Text("Loading") } else { Text(verbatim: content.failure?.localizedDescription ?? "") }
  }

  /// The values on which the subscription depends, besides the size.
  private struct Showing: Equatable {
    let future: ObjectIdentifier?
    let need: ShownImage.Need
  }

  private func need(_ size: CGSize?) -> ShownImage.Need {
    ShownImage.Need(size: size, isFilled: contentMode == .fill, scale: scale, isDark: colorScheme == .dark)
  }

  private func show(_ size: CGSize?) { shown.show(future, need(size)) }

  /// Reports a size from the layout, which may run on any thread, and in which nothing that a body reads may change.
  private var report: @Sendable (CGSize, Bool) -> Void {
    let (shown, future, need) = (shown, future, need(nil))
    return { size, isGuess in
      Scheduling.onMain {
        // The main dispatch queue is the main actor's executor.
        MainActor.assumeIsolated {
          var need = need
          need.size = size
          shown.layOut(future, need, isGuess: isGuess)
        }
      }
    }
  }
}

extension FutureImageView {
  /// Shows the image, and the future's placeholder until it has loaded.
  /// - Parameters:
  ///   - future: the image; nil for a model without one.
  ///   - contentMode: how the image fills the view, which decides the pixels that are decoded.
  ///   - ratio: the width divided by the height, to reserve the space before the image is loaded.
  public init(_ future: FutureImage?, contentMode: ContentMode = .fit, ratio: Double? = nil) where Content == FutureImageContent {
    let placeholder = future?.root.borrowed?.original
    self.init(future, contentMode: contentMode, ratio: ratio) { phase in
      FutureImageContent(phase: phase, placeholder: placeholder, contentMode: contentMode)
    }
  }

  /// Shows views that you make of the image, and others until it has loaded, also after a failure.
  /// - Parameters:
  ///   - future: the image; nil for a model without one.
  ///   - contentMode: how the image fills the view, which decides the pixels that are decoded.
  ///   - ratio: the width divided by the height, to reserve the space before the image is loaded.
  ///   - content: the views for the image. Call `resizable()` on it to have it fill the view.
  ///   - placeholder: the views without it.
  public init<Loaded: View, Unloaded: View>(
    _ future: FutureImage?, contentMode: ContentMode = .fit, ratio: Double? = nil, @ViewBuilder content: @escaping (Image) -> Loaded,
    @ViewBuilder placeholder: @escaping () -> Unloaded
  ) where Content == FutureImageChoice<Loaded, Unloaded> {
    self.init(future, contentMode: contentMode, ratio: ratio) { phase in
      FutureImageChoice(phase: phase, content: content, placeholder: placeholder)
    }
  }
}

/// The views of a ``FutureImageView`` without closures.
public struct FutureImageContent: View {
  let phase: FutureImagePhase
  let placeholder: UIImage?
  let contentMode: ContentMode

  // One image, whatever the phase: it has one identity from the placeholder to the last pixels.
  public var body: some View {
    image.resizable().aspectRatio(contentMode: contentMode).contentTransition(.opacity).overlay {
      Image(systemName: "arrow.clockwise").foregroundStyle(.secondary).opacity(hasFailed ? 1 : 0)
    }
  }

  private var image: Image {
    if case .ready(let image) = phase { image } else { Image(uiImage: placeholder ?? UIImage()) }
  }

  private var hasFailed: Bool { if case .failed = phase { true } else { false } }
}

/// The views of a ``FutureImageView`` with an image and a placeholder.
public struct FutureImageChoice<Loaded: View, Unloaded: View>: View {
  let phase: FutureImagePhase
  let content: (Image) -> Loaded
  let placeholder: () -> Unloaded

  public var body: some View {
    if case .ready(let image) = phase { content(image) } else { placeholder() }
  }
}
#endif
