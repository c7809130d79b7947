import Foundation

/// An item as the server writes it to the feed. The app does not use this type, but decodes ``Item`` from the JSON.
struct Listing: Encodable {
  struct Price: Encodable {
    let cents: Int
    let currency: String
  }

  struct Detail: Encodable {
    let caption: String
    let width: Int
    let height: Int
    let image: URL
  }

  let id: Int
  let title: String
  let credit: String
  let license: String
  let format: String
  let price: Price
  let width: Int
  let height: Int
  let primaryImage: URL
  let details: [Detail]

  init(item number: Int, photo: Catalog.Photo, base: URL) {
    let offer = Offer(ofItem: number)
    let folder = base.appendingPathComponent(PicturePath.folder(ofItem: number))
    let picture = folder.appendingPathComponent(photo.name)
    id = number
    title = photo.title
    credit = photo.credit
    license = photo.license
    format = offer.format
    price = Price(cents: offer.cents, currency: "EUR")
    width = photo.width
    height = photo.height
    primaryImage = picture
    let whole = Detail(caption: "The whole print", width: photo.width, height: photo.height, image: picture)
    details =
      [whole]
      + photo.closeUps.enumerated().map { index, closeUp in
        Detail(
          caption: "Close-up \(index + 1) of \(photo.closeUps.count)", width: closeUp.width, height: closeUp.height,
          image: folder.appendingPathComponent(PicturePath.closeUp(index + 1)))
      }
  }
}

/// The paper, size, and price of an item.
private struct Offer {
  let format: String
  let cents: Int

  init(ofItem number: Int) {
    let sizes = [("Postcard", 450), ("A4", 1_900), ("A3", 2_900), ("A2", 4_500), ("50 × 70", 6_900)]
    let papers = [("matt", 0), ("satin", 300), ("cotton rag", 1_150)]
    let size = sizes[number * 3 % sizes.count]
    let paper = papers[number * 7 / 5 % papers.count]
    format = "\(size.0), \(paper.0)"
    cents = size.1 + paper.1 + number % 4 * 50
  }
}
