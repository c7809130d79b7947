import FutureImage
import Storefront
import UIKit

/// A print in the grid.
final class PrintCell: UICollectionViewCell {
  let imageView = UIImageView()
  private let bar = UIProgressView(progressViewStyle: .bar)
  private let retryButton = UIButton(configuration: .tinted())
  private let title = UILabel()
  private let format = UILabel()
  private let price = UILabel()
  private var item: Item?
  private var watch: PhaseWatch?

  override init(frame: CGRect) {
    super.init(frame: frame)
    build()
  }

  required init?(coder: NSCoder) {
    super.init(coder: coder)
    build()
  }

  func show(_ item: Item) {
    self.item = item
    title.text = item.title
    format.text = item.format
    price.text = item.price.text
    accessibilityLabel = "\(item.title), \(item.format), \(item.price.text)"
    imageView.futureImage = item.primaryImage
    follow(item.primaryImage)
  }

  override func prepareForReuse() {
    super.prepareForReuse()
    item = nil
    watch = nil
    imageView.image = nil
  }

  private func retry() {
    guard let future = item?.primaryImage else { return }
    future.reload()
    imageView.futureImage = future
    follow(future)
  }

  private func follow(_ future: FutureImage) {
    watch = PhaseWatch(future) { [weak self] in self?.show($0) }
  }

  private func show(_ phase: FutureImage.Phase) {
    var fraction: Double?
    if case .loading(let known) = phase { fraction = known }
    bar.isHidden = fraction == nil
    bar.progress = Float(fraction ?? 0)
    if case .failed = phase { retryButton.isHidden = false } else { retryButton.isHidden = true }
  }

  private func build() {
    imageView.contentMode = .scaleAspectFill
    imageView.clipsToBounds = true
    imageView.layer.cornerRadius = 12
    imageView.isUserInteractionEnabled = true
    retryButton.configuration?.title = "Click to retry"
    retryButton.configuration?.image = UIImage(systemName: "arrow.clockwise")
    retryButton.configuration?.imagePlacement = .top
    retryButton.addAction(UIAction { [weak self] _ in self?.retry() }, for: .primaryActionTriggered)
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
    for (view, parent) in [(stack, contentView), (bar, imageView), (retryButton, imageView)] as [(UIView, UIView)] {
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
      bar.bottomAnchor.constraint(equalTo: imageView.bottomAnchor, constant: -14),
      retryButton.topAnchor.constraint(equalTo: imageView.topAnchor),
      retryButton.leadingAnchor.constraint(equalTo: imageView.leadingAnchor),
      retryButton.trailingAnchor.constraint(equalTo: imageView.trailingAnchor),
      retryButton.bottomAnchor.constraint(equalTo: imageView.bottomAnchor)
    ])
  }
}
