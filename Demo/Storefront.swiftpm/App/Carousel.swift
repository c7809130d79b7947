import FutureImage
import UIKit

/// A row of small images. It accepts any images, including futures.
final class Carousel: UIScrollView {
  var onChoose: ((Int) -> Void)?
  private let row = UIStackView()

  override init(frame: CGRect) {
    super.init(frame: frame)
    build()
  }

  required init?(coder: NSCoder) {
    super.init(coder: coder)
    build()
  }

  var images: [UIImage] = [] {
    didSet {
      for view in row.arrangedSubviews { view.removeFromSuperview() }
      for (index, image) in images.enumerated() { row.addArrangedSubview(makeView(image, index)) }
    }
  }

  private func makeView(_ image: UIImage, _ index: Int) -> UIView {
    let view = UIImageView()
    view.contentMode = .scaleAspectFill
    view.clipsToBounds = true
    view.layer.cornerRadius = 9
    view.isUserInteractionEnabled = true
    view.tag = index
    view.addGestureRecognizer(UITapGestureRecognizer(target: self, action: #selector(choose(_:))))
    view.widthAnchor.constraint(equalToConstant: 104).isActive = true
    view.heightAnchor.constraint(equalToConstant: 78).isActive = true
    view.display(image)
    return view
  }

  @objc private func choose(_ recognizer: UITapGestureRecognizer) {
    if let index = recognizer.view?.tag { onChoose?(index) }
  }

  private func build() {
    row.spacing = 10
    row.translatesAutoresizingMaskIntoConstraints = false
    addSubview(row)
    NSLayoutConstraint.activate([
      row.topAnchor.constraint(equalTo: contentLayoutGuide.topAnchor),
      row.bottomAnchor.constraint(equalTo: contentLayoutGuide.bottomAnchor),
      row.leadingAnchor.constraint(equalTo: contentLayoutGuide.leadingAnchor),
      row.trailingAnchor.constraint(equalTo: contentLayoutGuide.trailingAnchor),
      row.heightAnchor.constraint(equalTo: frameLayoutGuide.heightAnchor)
    ])
  }
}
