import FutureImage
import Storefront
import UIKit

/// The page of one print: its large image, its close-ups, and its credit.
final class DetailViewController: UIViewController {
  private let item: Item
  private let imageView = UIImageView()
  private let caption = UILabel()
  private let carousel = Carousel()
  private var shape: NSLayoutConstraint?

  init(_ item: Item) {
    self.item = item
    super.init(nibName: nil, bundle: nil)
  }

  /// Always returns nil, because a page from a storyboard would have no item and so no content.
  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    navigationItem.title = item.title
    view.backgroundColor = .secondarySystemBackground
    imageView.contentMode = .scaleAspectFill
    imageView.clipsToBounds = true
    caption.font = .preferredFont(forTextStyle: .footnote)
    caption.textColor = .secondaryLabel
    carousel.images = item.detailImages
    carousel.onChoose = { [weak self] in self?.choose($0) }
    arrange()
    choose(0)
  }

  override func viewDidLayoutSubviews() {
    super.viewDidLayoutSubviews()
    // The view may be wider after a rotation.
    for detail in item.details { detail.image.measureViews() }
  }

  private func choose(_ index: Int) {
    let detail = item.details[index]
    caption.text = detail.caption
    shape?.isActive = false
    shape = imageView.heightAnchor.constraint(
      equalTo: imageView.widthAnchor, multiplier: CGFloat(detail.height) / CGFloat(detail.width))
    shape?.isActive = true
    imageView.display(
      detail.image,
      .init(
        failureImage: PrintCell.failureImage,
        contentModes: (image: .scaleAspectFill, placeholder: .scaleAspectFill, failure: .center), retriesOnTap: true))
  }

  private func arrange() {
    let facts = [
      line(item.price.text, .title2), line(item.format, .body), line("Photograph: \(item.credit)", .footnote),
      line("Terms: \(item.license)", .footnote), line("Original: \(item.width) × \(item.height) pixels", .footnote)
    ]
    let column = UIStackView(arrangedSubviews: [imageView, caption, carousel] + facts)
    column.axis = .vertical
    column.spacing = 8
    column.translatesAutoresizingMaskIntoConstraints = false
    let scroll = UIScrollView(frame: view.bounds)
    scroll.autoresizingMask = [.flexibleWidth, .flexibleHeight]
    view.addSubview(scroll)
    scroll.addSubview(column)
    let content = scroll.contentLayoutGuide
    NSLayoutConstraint.activate([
      column.topAnchor.constraint(equalTo: content.topAnchor, constant: 20),
      column.bottomAnchor.constraint(equalTo: content.bottomAnchor, constant: -20),
      column.leadingAnchor.constraint(equalTo: content.leadingAnchor, constant: 20),
      column.trailingAnchor.constraint(equalTo: content.trailingAnchor, constant: -20),
      column.widthAnchor.constraint(equalTo: scroll.frameLayoutGuide.widthAnchor, constant: -40),
      carousel.heightAnchor.constraint(equalToConstant: 78)
    ])
  }

  private func line(_ text: String, _ style: UIFont.TextStyle) -> UILabel {
    let label = UILabel()
    label.text = text
    label.font = .preferredFont(forTextStyle: style)
    label.numberOfLines = 0
    return label
  }
}
