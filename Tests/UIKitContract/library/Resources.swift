import Foundation

// The declaration that SwiftPM generates for a target with resources.
extension Bundle { static let module = Bundle() }
