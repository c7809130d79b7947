import FutureImage

/// Images that all have the same width, and their own heights.
enum RosePhoto: FutureImage.Recipe {
  static var transform: FutureImage.Transform? { .resize(to: CGSize(width: 200, height: CGFloat.infinity)) }
}

struct Rose {
  @FutureImage.From<RosePhoto, FutureImage> var image: FutureImage
  init(_ url: URL) { _image = FutureImage.From("\(url)") }
}

/// A row that gets the height of its image when the image arrives.
final class AutoSizingTableViewCell: UITableViewCell {
  @IBOutlet private var leadingImageView: UIImageView!
  @IBOutlet private var sizeLabel: UILabel!
  var updateLayout: (() -> Void)?

  func show(_ rose: Rose) {
    let presentation = FutureImage.Presentation(transition: .fade(seconds: 1)) { [weak self] phase in
      guard let self else { return }
      sizeLabel.text = ""
      guard case .ready(let image) = phase else { return }
      sizeLabel.text = "\(image.size.width) x \(image.size.height)"
      updateLayout?()
    }
    leadingImageView.display(rose.image, presentation)
  }
}

final class AutoSizingTableViewController: UIViewController, UITableViewDataSource {
  @IBOutlet private var tableView: UITableView!
  private let roses = Samples.roses.map(Rose.init)

  override func viewDidLoad() {
    super.viewDidLoad()
    tableView.estimatedRowHeight = 150
  }

  override func viewDidAppear(_ animated: Bool) {
    super.viewDidAppear(animated)
    UIView.setAnimationsEnabled(false)
  }

  override func viewWillDisappear(_ animated: Bool) {
    super.viewWillDisappear(animated)
    UIView.setAnimationsEnabled(true)
  }

  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { roses.count }

  func tableView(_ tableView: UITableView, cellForRowAt path: IndexPath) -> UITableViewCell {
    let cell = tableView.dequeueReusableCell(withIdentifier: "AutoSizingTableViewCell", for: path)
    guard let cell = cell as? AutoSizingTableViewCell else { return cell }
    // If the image has arrived already, UIKit lays it out with the row, so no update of the layout is necessary.
    cell.updateLayout = nil
    cell.show(roses[path.row])
    cell.updateLayout = { [weak tableView] in tableView?.performBatchUpdates(nil) }
    return cell
  }
}
