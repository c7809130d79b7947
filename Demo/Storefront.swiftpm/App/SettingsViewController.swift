import Storefront
import UIKit

/// The sizes of the caches, a button that clears them, and the speed of the shop's network.
final class SettingsViewController: UITableViewController {
  private enum Section: Int, CaseIterable { case sizes, clearing, network }

  private let store: Store
  private let slowSwitch = UISwitch()
  private var sizes = CacheSizes()

  init(_ store: Store) {
    self.store = store
    super.init(style: .insetGrouped)
  }

  /// Always returns nil, because settings from a storyboard would have no store.
  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    navigationItem.title = "Settings"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "row")
    slowSwitch.addAction(UIAction { [weak self] _ in self?.setSlow() }, for: .valueChanged)
  }

  override func viewWillAppear(_ animated: Bool) {
    super.viewWillAppear(animated)
    // The SwiftUI settings also change this value.
    slowSwitch.isOn = store.shop.isSlow
    Task { await refresh() }
  }

  private func refresh() async {
    let now = await store.cacheSizes()
    guard now != sizes else { return }
    sizes = now
    tableView.reloadSections([Section.sizes.rawValue], with: .none)
  }

  private func setSlow() { store.shop.isSlow = slowSwitch.isOn }

  private func clear() async {
    do {
      try await store.clearCaches()
    } catch {
      let alert = UIAlertController(title: "Some files could not be removed", message: error.localizedDescription, preferredStyle: .alert)
      alert.addAction(UIAlertAction(title: "OK", style: .default))
      present(alert, animated: true)
    }
    await refresh()
  }

  // MARK: Rows

  override func numberOfSections(in tableView: UITableView) -> Int { Section.allCases.count }

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    Section(rawValue: section) == .sizes ? sizes.lines.count : 1
  }

  override func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? {
    switch Section(rawValue: section) {
    case .sizes: "Caches"
    case .network: "Network"
    default: nil
    }
  }

  override func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String? {
    switch Section(rawValue: section) {
    case .clearing: "Images on a screen remain."
    case .network: "160 KB a second for images that are requested from now on."
    default: nil
    }
  }

  override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
    let cell = tableView.dequeueReusableCell(withIdentifier: "row", for: indexPath)
    let section = Section(rawValue: indexPath.section)
    cell.selectionStyle = section == .clearing ? .default : .none
    cell.accessoryView = section == .network ? slowSwitch : nil
    cell.contentConfiguration = content(section, indexPath.row)
    return cell
  }

  private func content(_ section: Section?, _ row: Int) -> UIListContentConfiguration {
    var content = UIListContentConfiguration.valueCell()
    switch section {
    case .sizes:
      content.text = sizes.lines[row].title
      content.secondaryText = sizes.lines[row].text
    case .clearing:
      content.text = "Clear the caches"
      content.textProperties.color = .systemRed
    case .network, nil:
      content.text = "Slow network"
    }
    return content
  }

  override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
    tableView.deselectRow(at: indexPath, animated: true)
    if Section(rawValue: indexPath.section) == .clearing { Task { await clear() } }
  }
}
