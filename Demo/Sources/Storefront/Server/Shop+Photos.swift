import Foundation

extension Shop {
  /// The photos that come with the demo.
  public static var photos: URL {
    Bundle.module.bundleURL.appendingPathComponent("Photos")
  }
}
