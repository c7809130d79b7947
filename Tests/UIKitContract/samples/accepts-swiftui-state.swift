// Code that compiles with both forms of @State. @State is a property wrapper up to Xcode 26, and a macro since Xcode 27.
// stage: SIL (skipped by `check --quick`, which stops before this stage of the compiler)
import SwiftUI

@Observable @MainActor final class Album { var title = "" }
struct Shot: Hashable { var name = "" }

// Default values, and the memberwise initializer of a view with private state.
struct Defaults: View {
  let title: String
  var count = 1
  @State private var isOn = false
  @State private var name: String = ""
  @State private var shot: Shot?
  @State private var shots: [Shot] = [Shot(name: "a")]
  @State private var sizes = [String: CGSize]()
  @State private var album = Album()
  @State fileprivate var draw: () -> Void = {}
  @State var page = 0
  @State var cover: Shot?
  @State(initialValue: 3) private var third: Int
  @State(wrappedValue: 4) private var fourth: Int
  @State() private var fifth: Int?
  var body: some View {
    Toggle("On", isOn: $isOn)
    TextField("Name", text: $name)
    TextField("Title", text: $album.title)
    TextField("Shot", text: $shots[0].name)
    Text(shot?.name ?? "\(third + fourth + page + (fifth ?? 0))")
      .onTapGesture { change() }
      .onGeometryChange(for: CGSize.self) { $0.size } action: { sizes[name] = $0 }
      .task { shots.append(Shot()); album = Album() }
    Editor(shot: $shot, isOn: _isOn.projectedValue)
  }
  // Setters are nonmutating.
  private func change() {
    isOn.toggle()
    name += "a"
    shot = Shot(name: name)
    shots[0].name = name
    draw = { page += 1 }
    withAnimation { cover = nil }
  }
}
struct Editor: View {
  @Binding var shot: Shot?
  @Binding var isOn: Bool
  var body: some View { EmptyView() }
}
// The state has no default value. The initializer assigns it after the other stored properties.
struct Assigned<Content: View>: View {
  private let content: (Shot) -> Content
  @State private var shot: Shot
  @State private var album: Album
  init(_ name: String, @ViewBuilder content: @escaping (Shot) -> Content) {
    self.content = content
    shot = Shot(name: name)
    _album = State(initialValue: Album())
  }
  var body: some View { content(shot).onTapGesture { album.title = shot.name } }
}
struct Page: View {
  var body: some View {
    Defaults(title: "a")
    Defaults(title: "a", count: 2, page: 3, cover: Shot())
    Assigned("a") { Text($0.name) }
  }
}
// State outside of views.
struct Toggled: ViewModifier {
  @State private var isOn = false
  func body(content: Content) -> some View { content.opacity(isOn ? 1 : 0).onAppear { isOn = true } }
}
@propertyWrapper struct Attempts: DynamicProperty {
  @State private var count = 0
  var wrappedValue: Int { count }
  func increase() { count += 1 }
}
struct Shop: App {
  @State private var album = Album()
  var body: some Scene { WindowGroup { Text(album.title) } }
}
