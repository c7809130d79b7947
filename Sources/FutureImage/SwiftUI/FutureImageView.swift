#if canImport(SwiftUI)
import SwiftUI

/// A SwiftUI view that shows a future.
///
///     FutureImageView(item.photo, contentMode: .fill)
///       .frame(width: 120, height: 90)
///
/// The model owns the image. If any view or task has already loaded the image when this view appears, the first body of this view shows the
/// image. Pixels are decoded for the size of the view, and released when the view disappears. A tap after a failure requests the image
/// again.
///
/// The arrival of the image does not change the size of the view. The view has the proposed size, in the ratio that you pass or, if the
/// model knows the size of the image, in the ratio of the future's ``FutureImage/FutureImage/size``. If neither ratio is known and a side
/// is not proposed, the ratio is 4 : 3. So pass a ratio, or set a frame, in rows of lists.
public struct FutureImageView<Content: View>: View {
  private let future: FutureImage?
  private let contentMode: ContentMode
  private let ratio: Double?
  private let content: (FutureImagePhase) -> Content

  // The initial value has no subscription, because Xcode before version 27 makes the value again with each body of the parent. From Xcode
  // 27 on, the value is made once.
  @State private var shown = ShownImage()
  @Environment(\.displayScale) private var scale
  @Environment(\.colorScheme) private var colorScheme
  @Environment(\.accessibilityReduceMotion) private var reducesMotion

  /// Creates a view of the content that your closure makes from the state of the image. The closure may return any number of views, which
  /// together are one subview.
  /// - Parameters:
  ///   - future: the image; nil for a model without an image.
  ///   - contentMode: how the image fills the view, which decides the pixels that are decoded.
  ///   - ratio: the width divided by the height, to reserve the space before the image is loaded.
  ///   - content: a closure that returns the views for a state. It is called with each body, and calling it requests nothing.
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
    // The gesture is active only after a failure. Otherwise, it would take the taps of a button or a link around the view.
    .gesture(TapGesture().onEnded { future?.reload() }, including: current.failure == nil ? .subviews : .all)
    .accessibilityElement(children: future?.alternativeText == nil ? .contain : .ignore)
    .accessibilityLabel(future?.alternativeText ?? "")
    .accessibilityValue(status(current))
    .accessibilityAddTraits(.isImage)
  }

  /// The words that VoiceOver reads after the label. The app's table of localized texts may have its own text for "Loading".
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

  /// A closure to which the layout reports a size. The layout may run on any thread, and must not change anything that a body reads.
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
  /// Creates a view that shows the image, and shows the future's placeholder until the image has loaded.
  /// - Parameters:
  ///   - future: the image; nil for a model without an image.
  ///   - contentMode: how the image fills the view, which decides the pixels that are decoded.
  ///   - ratio: the width divided by the height, to reserve the space before the image is loaded.
  public init(_ future: FutureImage?, contentMode: ContentMode = .fit, ratio: Double? = nil) where Content == FutureImageContent {
    let placeholder = future?.root.borrowed?.original
    self.init(future, contentMode: contentMode, ratio: ratio) { phase in
      FutureImageContent(phase: phase, placeholder: placeholder, contentMode: contentMode)
    }
  }

  /// Creates a view that shows the views that a closure makes from the image. Until the image has loaded, and after a failure, it shows
  /// other views.
  /// - Parameters:
  ///   - future: the image; nil for a model without an image.
  ///   - contentMode: how the image fills the view, which decides the pixels that are decoded.
  ///   - ratio: the width divided by the height, to reserve the space before the image is loaded.
  ///   - content: a closure that returns the views for the image. Call `resizable()` on the image to have it fill the view.
  ///   - placeholder: a closure that returns the views to show without the image.
  public init<Loaded: View, Unloaded: View>(
    _ future: FutureImage?, contentMode: ContentMode = .fit, ratio: Double? = nil, @ViewBuilder content: @escaping (Image) -> Loaded,
    @ViewBuilder placeholder: @escaping () -> Unloaded
  ) where Content == FutureImageChoice<Loaded, Unloaded> {
    self.init(future, contentMode: contentMode, ratio: ratio) { phase in
      FutureImageChoice(phase: phase, content: content, placeholder: placeholder)
    }
  }
}

/// The content of a ``FutureImageView`` that was created without closures.
public struct FutureImageContent: View {
  let phase: FutureImagePhase
  let placeholder: BaseImage?
  let contentMode: ContentMode

  // All phases use the same `Image` view, so that this view has one identity from the placeholder to the last pixels.
  public var body: some View {
    image.resizable().aspectRatio(contentMode: contentMode).contentTransition(.opacity).overlay {
      Image(systemName: "arrow.clockwise").foregroundStyle(.secondary).opacity(hasFailed ? 1 : 0)
    }
  }

  private var image: Image {
    if case .ready(let image) = phase { image } else { Image(showing: placeholder ?? BaseImage()) }
  }

  private var hasFailed: Bool { if case .failed = phase { true } else { false } }
}

/// The content of a ``FutureImageView`` that was created with one closure for the image and another for the placeholder.
public struct FutureImageChoice<Loaded: View, Unloaded: View>: View {
  let phase: FutureImagePhase
  let content: (Image) -> Loaded
  let placeholder: () -> Unloaded

  public var body: some View {
    if case .ready(let image) = phase { content(image) } else { placeholder() }
  }
}
#endif
