/// A filter that removes bytes after the end of an image as they arrive. Without this filter, a few kilobytes of compressed zeros after a
/// small image would become megabytes that are retained and stored.
///
/// Up to 64 KiB after the end remain unchanged, because some cameras append notes. No decoder here reads longer data after an image, such
/// as the video of a motion photo or the gain map of an HDR image.
///
/// | bytes after the end | retained |
/// | --- | --- |
/// | 0 to 65,536 | all |
/// | 65,537 or more | none |
/// | any, after an end that the format does not mark | all |
struct TrailingBytes {
  /// The maximum number of bytes after the end that are retained.
  static let most = 64 << 10

  private var end: Int?
  /// The number of bytes searched for the end. Each search begins at the start of the image, so the next search waits for twice as many
  /// bytes. The value before the first search is ``most``, because shorter data has no bytes to remove.
  private var searched = most
  /// Whether bytes that arrive from now on are not part of the image.
  private(set) var areCutOff = false

  /// Checks the bytes that have arrived so far. All calls together take time in proportion to the number of bytes.
  mutating func cut(_ data: inout Data) {
    if end == nil, data.count >= 2 * searched { search(data) }
    cutBehindEnd(&data)
  }

  /// Checks the complete data.
  mutating func finish(_ data: inout Data) {
    if end == nil, data.count > searched { search(data) }
    cutBehindEnd(&data)
  }

  private mutating func search(_ data: Data) {
    end = EndOfData.markedEnd(of: data)
    searched = data.count
  }

  private mutating func cutBehindEnd(_ data: inout Data) {
    guard let end, data.count - end > Self.most else { return }
    // This is a copy, because a slice retains the memory of the whole data.
    data = Data(data.prefix(end))
    areCutOff = true
  }
}
