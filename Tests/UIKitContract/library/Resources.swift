import Foundation

// What SwiftPM generates for a target with resources.
extension Bundle { static let module = Bundle() }
