// expect: cannot convert value of type 'UTType' to expected dictionary key type 'String'
import UIKit
import UniformTypeIdentifiers
func copy(_ png: Data) { UIPasteboard.general.setItems([[UTType.png: png]]) }
