// Futures in cells, in headers, and in content configurations.
import FutureImage

@MainActor final class RowCell: UICollectionViewListCell {
  var photo: FutureImage?

  override func updateConfiguration(using state: UICellConfigurationState) {
    super.updateConfiguration(using: state)
    var content = defaultContentConfiguration().updated(for: state)
    content.image = photo
    content.imageProperties.maximumSize = CGSize(width: 60, height: 60)
    content.imageProperties.reservedLayoutSize = CGSize(width: 60, height: 60)
    display(content)
    var background = defaultBackgroundConfiguration().updated(for: state)
    background.image = photo
    background.imageContentMode = .scaleAspectFill
    display(background, .init(transition: .fade()))
  }
}
@MainActor func header(_ photo: FutureImage) -> UITableViewHeaderFooterView {
  let header = UITableViewHeaderFooterView(reuseIdentifier: "header")
  var content = header.defaultContentConfiguration()
  content.image = photo
  header.display(content)
  return header
}
@MainActor func rows(_ photo: FutureImage, _ table: UITableView, _ broken: UIImage) -> UITableViewCell {
  let cell = table.dequeueReusableCell(withIdentifier: "row", for: IndexPath(row: 0, section: 0))
  var content = cell.defaultContentConfiguration()
  content.image = photo
  cell.display(content, .init(failureImage: broken, retriesOnTap: true))
  cell.configurationUpdateHandler = { cell, state in
    var content = UIListContentConfiguration.subtitleCell().updated(for: state)
    content.image = photo
    cell.display(content)
  }
  return cell
}
@MainActor func registration() -> UICollectionView.CellRegistration<UICollectionViewListCell, FutureImage> {
  UICollectionView.CellRegistration { cell, _, photo in
    var content = cell.defaultContentConfiguration()
    content.image = photo
    cell.display(content)
  }
}
/// A configuration whose content view is the app's own view, which binds itself.
struct PosterContent: UIContentConfiguration {
  var photo: FutureImage?
  func makeContentView() -> any UIView & UIContentView { PosterView(self) }
  func updated(for state: any UIConfigurationState) -> PosterContent { self }
}
@MainActor final class PosterView: UIImageView, UIContentView {
  var configuration: any UIContentConfiguration { didSet { futureImage = (configuration as? PosterContent)?.photo } }
  init(_ content: PosterContent) {
    configuration = content
    super.init(frame: .zero)
    futureImage = content.photo
  }
  required init?(coder: NSCoder) { nil }
}
