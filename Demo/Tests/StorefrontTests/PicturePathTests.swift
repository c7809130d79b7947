import Testing

@testable import Storefront

@Suite struct PicturePathTests {
  @Test func `the name of an item's folder contains the item's number with at least four digits`() {
    #expect(PicturePath.folder(ofItem: 7) == "prints/0007")
    #expect(PicturePath.folder(ofItem: 12_345) == "prints/12345")
  }

  @Test func `the file name of a close-up contains its number`() {
    #expect(PicturePath.closeUp(2) == "close-up-2.jpg")
  }
}
