// The declarations that a view needs to show loaded images: sizes, dynamic ranges, descriptions, transitions, widgets.
// stage: SIL (skipped by `check --quick`, which stops before this stage of the compiler)
import SwiftUI
import WidgetKit

// Layouts are not isolated. They store sizes in a cache.
struct Fitted: Layout {
  struct Cache {
    var sizes: [CGSize]
    var proposal: ProposedViewSize?
  }
  var ratio: CGFloat?
  static var layoutProperties: LayoutProperties {
    var properties = LayoutProperties()
    properties.stackOrientation = .vertical
    return properties
  }
  func makeCache(subviews: Subviews) -> Cache { Cache(sizes: subviews.map { $0.sizeThatFits(.unspecified) }) }
  func updateCache(_ cache: inout Cache, subviews: Subviews) {
    if cache.sizes.count != subviews.count { cache = makeCache(subviews: subviews) }
  }
  func sizeThatFits(proposal: ProposedViewSize, subviews: Subviews, cache: inout Cache) -> CGSize {
    cache.proposal = proposal
    guard let width = proposal.width, let ratio = ratio ?? subviews.first?[Ratio.self] else { return cache.sizes.first ?? .zero }
    return CGSize(width: width, height: width / ratio)
  }
  func placeSubviews(in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews, cache: inout Cache) {
    var y = bounds.minY
    for (subview, next) in zip(subviews, subviews.dropFirst()) {
      subview.place(at: CGPoint(x: bounds.midX, y: y), anchor: .top, proposal: ProposedViewSize(bounds.size))
      y += subview.dimensions(in: proposal)[VerticalAlignment.bottom] + subview.spacing.distance(to: next.spacing, along: .vertical)
    }
  }
  func explicitAlignment(of guide: VerticalAlignment, in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews, cache: inout Cache) -> CGFloat? { bounds.maxY }
}
struct Ratio: LayoutValueKey { static let defaultValue: CGFloat? = nil }
extension EnvironmentValues { @Entry var ratio: CGFloat? }

@Observable @MainActor final class Lease {
  var image: UIImage?
  var name = ""
  func load(_ size: CGSize, scale: CGFloat, isDark: Bool) async {}
}
// This type is not nested in the generic view, because a closure's parameter would not determine the view's generic argument.
enum Phase {
  case empty
  case success(Image)
}
struct Photo<Content: View>: View {
  let lease: Lease
  let content: (Phase) -> Content
  @State private var size = CGSize.zero
  @Environment(\.displayScale) private var scale
  @Environment(\.colorScheme) private var scheme
  @Environment(\.redactionReasons) private var redactions
  @Environment(\.allowedDynamicRange) private var range
  @Environment(\.accessibilityReduceMotion) private var reducesMotion
  @Environment(\.ratio) private var ratio
  @Environment(\.widgetRenderingMode) private var widgetMode
  init(_ lease: Lease, @ViewBuilder content: @escaping (Phase) -> Content) {
    self.lease = lease
    self.content = content
  }
  init(_ lease: Lease) where Content == AnyView {
    self.init(lease) { phase in
      guard case .success(let image) = phase else { return AnyView(EmptyView()) }
      return AnyView(image.resizable().aspectRatio(contentMode: .fill))
    }
  }
  private var phase: Phase {
    guard let image = lease.image, redactions.isEmpty else { return .empty }
    guard let pixels = image.cgImage else { return .success(Image(uiImage: image)) }
    return .success(Image(decorative: pixels, scale: scale, orientation: .up).renderingMode(.original).allowedDynamicRange(range ?? .standard))
  }
  var body: some View {
    Fitted(ratio: ratio) { Group { content(phase) }.layoutValue(key: Ratio.self, value: 1.5) }
      .onGeometryChange(for: CGSize.self) { proxy in proxy.size } action: { old, new in if old != new { size = new } }
      .onGeometryChange(for: Bool.self) { $0.frame(in: .global).minY > 0 } action: { print($0) }
      .task(id: size) { await lease.load(size, scale: scale, isDark: scheme == .dark) }
      .animation(reducesMotion ? nil : .easeIn(duration: 0.2), value: lease.image)
      .contentTransition(.interpolate)
      .allowedDynamicRange(.constrainedHigh)
      .accessibilityLabel(Text(lease.name))
      .accessibilityValue("\(Int(size.width)) points")
      .accessibilityAddTraits([.isImage, .updatesFrequently])
      .accessibilityRemoveTraits(.isStaticText)
      .accessibilityAction { print("default") }
      .accessibilityAction(.magicTap) { print("magic") }
      .accessibilityAction(named: "Reload") { lease.image = nil }
      .accessibilityAction(named: lease.name) { lease.image = nil }
      .accessibilityAdjustableAction { if $0 == .increment { size.width += 1 } }
      .accessibilityHidden(lease.image == nil)
      .widgetAccentable(widgetMode == .accented)
      .gesture(TapGesture().onEnded { lease.name = "" }, including: lease.image == nil ? .all : .subviews)
  }
}
// These declarations are newer than the oldest version of iOS that the library supports. The compiler on Linux does not notice a missing
// `#available`.
struct Poster: View {
  let image: UIImage
  var body: some View {
    if #available(iOS 18, macOS 15, *) {
      Image(uiImage: image).resizable().widgetAccentedRenderingMode(.fullColor)
    } else {
      Image(uiImage: image).resizable()
    }
  }
}
struct Gallery: View {
  let leases: [Lease]
  @Namespace private var namespace
  @State private var page = 0
  @State private var isWide = false
  @State private var shown: Int?
  var body: some View {
    let layout = isWide ? AnyLayout(HStackLayout(spacing: 4)) : AnyLayout(VStackLayout(alignment: .leading))
    NavigationStack {
      TabView(selection: $page) {
        ForEach(leases.indices, id: \.self) { index in
          layout { Photo(leases[index]).tag(index) }
            .matchedGeometryEffect(id: index, in: namespace)
            .transition(.opacity)
        }
      }
      .tabViewStyle(.page(indexDisplayMode: .never))
      ScrollView {
        LazyVGrid(columns: [GridItem(.adaptive(minimum: 80))]) {
          ForEach(leases.indices, id: \.self) { index in
            NavigationLink { zoomed(index) } label: {
              if #available(iOS 18, *) {
                thumbnail(index).matchedTransitionSource(id: index, in: namespace) { $0.clipShape(.rect(cornerRadius: 8)) }
              } else {
                thumbnail(index)
              }
            }
          }
        }
        .scrollTargetLayout()
      }
      .scrollPosition(id: $shown, anchor: .top)
      .refreshable { for lease in leases { await lease.load(.zero, scale: 1, isDark: false) } }
      .onTapGesture { withAnimation(.snappy) { isWide.toggle() } }
    }
  }
  private func thumbnail(_ index: Int) -> some View {
    ZStack { Photo(leases[index]) { if case .success(let image) = $0 { image.resizable() } } }
      .background { Color.gray }
      .overlay(alignment: .bottom) { Text(leases[index].name) }
      .clipShape(.circle)
  }
  @ViewBuilder private func zoomed(_ index: Int) -> some View {
    if #available(iOS 18, *) {
      Photo(leases[index]).navigationTransition(.zoom(sourceID: index, in: namespace))
    } else {
      Photo(leases[index])
    }
  }
}
// The app's own alignments.
extension VerticalAlignment {
  private enum Caption: AlignmentID { static func defaultValue(in context: ViewDimensions) -> CGFloat { context[.firstTextBaseline] } }
  static let caption = VerticalAlignment(Caption.self)
}
// SwiftUI views in UIKit.
@MainActor func configured(_ cell: UICollectionViewCell, _ lease: Lease) -> UIViewController {
  cell.contentConfiguration = UIHostingConfiguration { Photo(lease) }.minSize(width: 0, height: 0).margins(.all, 0).background { Color.black }
  let renderer = ImageRenderer(content: Photo(lease))
  if #available(iOS 26, *) { renderer.allowedDynamicRange = .high }
  return UIHostingController(rootView: Gallery(leases: [lease]))
}
