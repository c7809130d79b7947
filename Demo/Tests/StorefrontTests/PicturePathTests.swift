import Testing

@testable import Storefront

@Suite struct PicturePathTests {
  @Test func `numbers are four digits long, or more`() {
    #expect(PicturePath.folder(ofItem: 7) == "prints/0007")
    #expect(PicturePath.folder(ofItem: 12_345) == "prints/12345")
  }

  @Test func `a close-up is named for its number`() {
    #expect(PicturePath.closeUp(2) == "close-up-2.jpg")
  }
}
