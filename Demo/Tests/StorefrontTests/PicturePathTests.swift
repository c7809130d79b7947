import Testing

@testable import Storefront

@Suite struct PicturePathTests {
  @Test func `a path names its item, and perhaps a close-up`() throws {
    let whole = try #require(PicturePath("/prints/0007/red-door.jpg", items: 10))
    #expect(whole.item == 7)
    #expect(whole.closeUp == nil)
    let closeUp = try #require(PicturePath("/prints/0010/close-up-2.jpg", items: 10))
    #expect(closeUp.item == 10)
    #expect(closeUp.closeUp == 2)
    #expect(PicturePath("/prints/0008/adrift.webp", items: 10)?.item == 8)
  }

  @Test(arguments: [
    "/", "/prints", "/prints/0000/a.jpg", "/prints/0011/a.jpg", "/prints/x/a.jpg", "/prints/0001/a.png", "/prints/0001/../a.jpg",
    "/prints/0001/jpg",
    "prints/0001/a.jpg"
  ])
  func `other paths name nothing`(_ path: String) {
    #expect(PicturePath(path, items: 10) == nil)
  }

  @Test func `numbers are four digits long, or more`() {
    #expect(PicturePath.folder(ofItem: 7) == "prints/0007")
    #expect(PicturePath.folder(ofItem: 12_345) == "prints/12345")
  }
}
