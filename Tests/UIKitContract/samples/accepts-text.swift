// Images in text.
// stage: SIL (skipped by `check --quick`, which stops before this stage of the compiler)
import UIKit

final class Article: UIViewController, UITextViewDelegate {
  private let textView = UITextView()
  override func viewDidLoad() {
    super.viewDidLoad()
    textView.delegate = self
    textView.isEditable = false
    textView.textContainerInset = .zero
    textView.textContainer.lineFragmentPadding = 0
    textView.font = .preferredFont(forTextStyle: .body)
    view.addSubview(textView)
  }
  func show(_ text: String, _ picture: UIImage) {
    let attachment = NSTextAttachment(image: picture)
    attachment.bounds = CGRect(x: 0, y: 0, width: 100, height: 100 * picture.size.height / picture.size.width)
    let attributed = NSMutableAttributedString(string: text, attributes: [.foregroundColor: UIColor.label])
    attributed.append(NSAttributedString(attachment: attachment))
    attributed.insert(NSAttributedString(string: "\n"), at: 0)
    textView.attributedText = attributed
  }
  // Gives an attachment its image, which arrives later than the text.
  func replace(with picture: UIImage) {
    let storage = textView.textStorage
    storage.beginEditing()
    storage.enumerateAttribute(.attachment, in: NSRange(location: 0, length: storage.length)) { value, range, stop in
      guard let attachment = value as? Fitted else { return }
      attachment.image = picture
      textView.layoutManager.invalidateDisplay(forCharacterRange: range)
      textView.layoutManager.invalidateLayout(forCharacterRange: range, actualCharacterRange: nil)
      stop.pointee = true
    }
    storage.endEditing()
    let found = storage.attribute(.attachment, at: 0, effectiveRange: nil) as? NSTextAttachment
    print(found?.image ?? "none", textView.text.count, textView.attributedText.length)
  }
  func textViewDidChange(_ textView: UITextView) { textView.typingAttributes = [.font: UIFont.systemFont(ofSize: 12)] }
  func scrollViewDidScroll(_ scrollView: UIScrollView) {}
}
final class Fitted: NSTextAttachment {
  override func attachmentBounds(for textContainer: NSTextContainer?, proposedLineFragment lineFrag: CGRect, glyphPosition position: CGPoint, characterIndex charIndex: Int) -> CGRect {
    CGRect(x: 0, y: 0, width: lineFrag.width, height: lineFrag.width / 2)
  }
  override func image(forBounds imageBounds: CGRect, textContainer: NSTextContainer?, characterIndex charIndex: Int) -> UIImage? { image ?? UIImage(systemName: "photo") }
}
final class Storied: UITextView {
  override init(frame: CGRect, textContainer: NSTextContainer?) { super.init(frame: frame, textContainer: textContainer) }
  required init?(coder: NSCoder) { super.init(coder: coder) }
}
