import FutureImage

enum MasterPhoto: FutureImage.Recipe {
  static func placeholder(in fields: FutureImage.SiblingFields) -> FutureImage.Placeholder? { "placeholder" }
  static var baseURL: URL? { URL(string: "https://images.example/") }
}

struct MasterItem {
  @FutureImage.From<MasterPhoto, FutureImage> var image: FutureImage
  init(_ path: String) { _image = FutureImage.From("\(path)") }
}

final class PictureCell: UITableViewCell {
  let label = UILabel(frame: CGRect(x: 100, y: 12, width: 200, height: 20))
  private let picture = UIImageView(frame: CGRect(x: 20, y: 2, width: 60, height: 40))

  override init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) {
    super.init(style: style, reuseIdentifier: reuseIdentifier)
    picture.clipsToBounds = true
    picture.contentMode = .scaleAspectFill
    for view in [picture, label] { contentView.addSubview(view) }
  }

  required init?(coder: NSCoder) { nil }

  func show(_ photo: FutureImage) {
    picture.display(photo, .init(transition: .fade(), indicator: .activity))
  }
}

/// A list of images in many formats. Each row opens a page.
final class MasterViewController: UITableViewController {
  /// Configures the shared loader. The app delegate calls this function at launch, because the loader refuses a configuration after its
  /// first use.
  static func configureLoader() throws {
    var configuration = FutureImage.Loader.Configuration()
    configuration.headers = ["AppName": "Pictures"]
    try FutureImage.Loader.configureShared(configuration)
  }

  private let items =
    [
      "joy.gif", "wheel.gif", "elephant.png", "tree.webp", "cup.webp", "engine.webp", "ski-jump.heic", "stars.heic", "logo.png",
      "square.jpg"
    ].map(MasterItem.init) + (1..<25).map { MasterItem("kodak/\($0).png") }

  override init(style: UITableView.Style) {
    super.init(style: style)
    title = "Pictures"
    navigationItem.rightBarButtonItem = UIBarButtonItem(
      title: "Clear Cache",
      primaryAction: UIAction { _ in
        FutureImage.Loader.shared.removeCachedPixels()
        Task { try? await FutureImage.DiskCache.standard.removeAll() }
      })
    tableView.register(PictureCell.self, forCellReuseIdentifier: "picture")
  }

  required init?(coder: NSCoder) { nil }

  override func tableView(_ view: UITableView, numberOfRowsInSection section: Int) -> Int { items.count }

  override func tableView(_ view: UITableView, cellForRowAt path: IndexPath) -> UITableViewCell {
    let cell = view.dequeueReusableCell(withIdentifier: "picture", for: path)
    guard let cell = cell as? PictureCell else { return cell }
    cell.label.text = "Image #\(path.row)"
    cell.show(items[path.row].image)
    return cell
  }

  override func tableView(_ view: UITableView, didSelectRowAt path: IndexPath) {
    navigationController?.pushViewController(DetailViewController(items[path.row].image), animated: true)
  }
}
