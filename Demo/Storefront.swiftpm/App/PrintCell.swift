import FutureImage
import Storefront
import UIKit

/// A print in the grid.
final class PrintCell: UICollectionViewCell {
  let imageView = UIImageView()
  private let bar = UIProgressView(progressViewStyle: .bar)
  private let title = UILabel()
  private let format = UILabel()
  private let price = UILabel()
  static let failureImage = UIImage(systemName: "arrow.clockwise")
  /// The image of the item. The item retains the image.
  private weak var photo: FutureImage?

  override init(frame: CGRect) {
    super.init(frame: frame)
    build()
  }

  required init?(coder: NSCoder) {
    super.init(coder: coder)
    build()
  }

  override func layoutSubviews() {
    super.layoutSubviews()
    // A rotation may leave fewer columns with wider cells.
    photo?.measureViews()
  }

  func show(_ item: Item) {
    photo = item.primaryImage
    title.text = item.title
    format.text = item.format
    price.text = item.price.text
    accessibilityLabel = "\(item.title), \(item.format), \(item.price.text)"
    imageView.display(
      item.primaryImage,
      .init(
        failureImage: Self.failureImage,
        contentModes: (image: .scaleAspectFill, placeholder: .scaleAspectFill, failure: .center), retriesOnTap: true
      ) { [weak self] phase in self?.show(phase) })
  }

  private func show(_ phase: FutureImage.Phase) {
    var fraction: Double?
    if case .loading(let known) = phase { fraction = known }
    bar.isHidden = fraction == nil
    bar.progress = Float(fraction ?? 0)
  }

  private func build() {
    imageView.contentMode = .scaleAspectFill
    imageView.clipsToBounds = true
    imageView.layer.cornerRadius = 12
    title.font = .preferredFont(forTextStyle: .headline)
    format.font = .preferredFont(forTextStyle: .footnote)
    format.textColor = .secondaryLabel
    price.font = .preferredFont(forTextStyle: .headline)
    price.setContentHuggingPriority(.required, for: .horizontal)
    isAccessibilityElement = true
    accessibilityTraits = [.button, .image]
    arrange()
  }

  private func arrange() {
    let facts = UIStackView(arrangedSubviews: [format, price])
    facts.spacing = 8
    let stack = UIStackView(arrangedSubviews: [imageView, title, facts])
    stack.axis = .vertical
    stack.spacing = 4
    stack.setCustomSpacing(8, after: imageView)
    for (view, parent) in [(stack, contentView), (bar, imageView)] as [(UIView, UIView)] {
      view.translatesAutoresizingMaskIntoConstraints = false
      parent.addSubview(view)
    }
    NSLayoutConstraint.activate([
      stack.topAnchor.constraint(equalTo: contentView.topAnchor),
      stack.leadingAnchor.constraint(equalTo: contentView.leadingAnchor),
      stack.trailingAnchor.constraint(equalTo: contentView.trailingAnchor),
      stack.bottomAnchor.constraint(equalTo: contentView.bottomAnchor),
      imageView.heightAnchor.constraint(equalTo: imageView.widthAnchor, multiplier: 0.8),
      bar.leadingAnchor.constraint(equalTo: imageView.leadingAnchor, constant: 14),
      bar.trailingAnchor.constraint(equalTo: imageView.trailingAnchor, constant: -14),
      bar.bottomAnchor.constraint(equalTo: imageView.bottomAnchor, constant: -14)
    ])
  }
}
