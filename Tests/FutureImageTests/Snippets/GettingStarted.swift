#if canImport(UIKit) || canImport(UIKitStandIn)
import Foundation
import FutureImage
import Testing

@MainActor final class GettingStartedSnippets {
  struct Print: Decodable, Hashable, Sendable {
    let id: Int
    let title: String
    @FutureImage.FromURL var photo: FutureImage
    @FutureImage.FromURL var frame: FutureImage?
    @FutureImage.FromURL var details: [FutureImage]
  }

  func show(_ print: Print, in cell: UITableViewCell) {
    var content = cell.defaultContentConfiguration()
    content.text = print.title
    content.image = print.photo
    content.imageProperties.maximumSize = CGSize(width: 60, height: 60)
    content.imageProperties.reservedLayoutSize = CGSize(width: 60, height: 60)
    cell.display(content)
  }

  final class PrintCell: UICollectionViewCell {
    let imageView = UIImageView()
    let spinner = UIActivityIndicatorView(style: .medium)
  }

  func show(_ print: Print, in cell: PrintCell) {
    cell.imageView.futureImage = print.photo
  }

  func present(_ print: Print, in cell: PrintCell) {
    cell.imageView.display(
      print.photo,
      .init(transition: .fade(), failureImage: UIImage(named: "broken"), indicator: .activity, retriesOnTap: true))
  }

  func spin(_ print: Print, in cell: PrintCell) {
    cell.imageView.display(
      print.photo,
      .init { phase in
        phase.isFinal ? cell.spinner.stopAnimating() : cell.spinner.startAnimating()
      })
  }

  func showCarousel(of prints: [Print], in views: [UIImageView]) {
    let pictures: [UIImage] = prints.map(\.photo)
    for (view, picture) in zip(views, pictures) { view.display(picture) }
  }

  func upload(_ print: Print) async throws -> Data? {
    let picture = try await print.photo.value
    return picture.jpegData(compressionQuality: 0.8)
  }

  func thumbnail(of print: Print) async throws -> UIImage {
    let thumbnail = try await print.photo.value(fitting: .fit(width: 200, height: 200))
    return thumbnail
  }

  var prefetch: FutureImage.Prefetch?

  func prefetch(_ prints: [Print], after visible: Range<Int>) {
    prefetch = prints[visible.upperBound...].prefix(20).prefetch(\.photo)
  }

  enum PrintPhoto: FutureImage.Recipe {
    static func placeholder(in fields: FutureImage.SiblingFields) -> FutureImage.Placeholder? { "print" }
    static func size(in fields: FutureImage.SiblingFields) -> CGSize? { fields.size() }
  }

  typealias PrintImage<Value: FutureImage.FutureContainer> = FutureImage.From<PrintPhoto, Value>

  struct SizedPrint: Decodable {
    let width: Double
    let height: Double
    @PrintImage var photo: FutureImage
  }
}

@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct GettingStartedPage {
  private typealias Page = GettingStartedSnippets

  @Test func `the models of the page Getting Started decode an absent image, a list of images, and a size`() throws {
    let decoder = JSONDecoder()
    decoder.userInfo[FutureImage.loaderKey] = LoaderFixture().loader
    let json = #"{ "id": 7, "title": "Harbor", "photo": "https://example.com/7.jpg", "details": ["https://example.com/7a.jpg"] }"#
    let print = try decoder.decode(Page.Print.self, from: Data(json.utf8))
    #expect(print.frame == nil && print.details.count == 1)
    let sized = try decoder.decode(
      Page.SizedPrint.self, from: Data(#"{ "width": 30, "height": 20, "photo": "https://example.com/7.jpg" }"#.utf8))
    #expect(sized.photo.size == CGSize(width: 30, height: 20))
  }
}
#endif
