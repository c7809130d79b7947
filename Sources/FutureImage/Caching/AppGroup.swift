/// The container that the programs of an app group share.
enum AppGroup {
  /// Whether the program with this bundle is an app extension.
  ///
  /// The bundle of an extension ends in `.appex` (Apple, App Extension Programming Guide, "Creating an App Extension").
  static func isExtension(_ bundle: URL) -> Bool { bundle.pathExtension.lowercased() == "appex" }
}
