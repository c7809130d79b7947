// expect: cannot convert value of type 'NSTextAttachment' to expected argument type 'NSAttributedString'
import UIKit
@MainActor func append(_ image: UIImage, to view: UITextView) { view.textStorage.append(NSTextAttachment(image: image)) }
