import FutureImage

/// The contents of the store's caches, for a settings screen.
public struct CacheSizes: Sendable, Hashable {
  /// The size of the decoded pixels, in bytes.
  public var pixelBytes: Int
  public var maxPixelBytes: Int
  /// The size of the files on disk, in bytes.
  public var diskBytes: Int
  public var diskLimit: Int
  public var diskCount: Int

  public init(pixelBytes: Int = 0, maxPixelBytes: Int = 0, diskBytes: Int = 0, diskLimit: Int = 0, diskCount: Int = 0) {
    self.pixelBytes = pixelBytes
    self.maxPixelBytes = maxPixelBytes
    self.diskBytes = diskBytes
    self.diskLimit = diskLimit
    self.diskCount = diskCount
  }

  /// A line of the settings screen: a title, and a number as text.
  public struct Line: Sendable, Hashable {
    public let title: String
    public let text: String
  }

  public var lines: [Line] {
    [
      Line(title: "Decoded pixels in memory", text: "\(pixelBytes.formatted()) bytes"),
      Line(title: "At most", text: "\(maxPixelBytes.formatted()) bytes"),
      Line(title: "Images on disk", text: diskCount.formatted()),
      Line(title: "Their size", text: "\(diskBytes.formatted()) bytes"),
      Line(title: "At most", text: "\(diskLimit.formatted()) bytes")
    ]
  }
}
