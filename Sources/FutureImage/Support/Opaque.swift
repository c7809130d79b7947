/// A type whose stored properties may contain credentials, so that dumps and debuggers must not show them. The protocol is public because
/// public types of the library conform to it.
public protocol _Opaque: CustomReflectable {}

extension _Opaque {
  /// A mirror without children. The value's `description` contains what may be shown.
  public var customMirror: Mirror {
    Mirror(self, children: [:], displayStyle: type(of: self) is AnyClass ? .class : .struct, ancestorRepresentation: .suppressed)
  }
}
