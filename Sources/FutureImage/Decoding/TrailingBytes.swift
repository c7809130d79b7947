/// Cuts off bytes that follow the end of a picture while they come in. A few kilobytes of compressed zeros behind a small picture would
/// otherwise be held as megabytes, and stored.
///
/// Up to 64 KiB stay as they came: some cameras append notes. What follows a picture and is longer (the film of a motion photo, the gain map
/// of an HDR picture) is nothing that a decoder here reads.
///
/// | bytes behind the end | stay |
/// | --- | --- |
/// | 0 to 65,536 | all |
/// | 65,537 or more | none |
/// | any, behind an end that the format does not mark | all |
struct TrailingBytes {
  static let most = 64 << 10

  private var end: Int?
  /// How much has been searched for the end. Each search begins at the picture's beginning, so the next waits until there is twice as much.
  private var searched = most
  /// Bytes that come from now on are not the picture's.
  private(set) var areCutOff = false

  /// Looks at the bytes so far. In all takes time in proportion to their number.
  mutating func cut(_ data: inout Data) {
    if end == nil, data.count >= 2 * searched { search(data) }
    cutBehindEnd(&data)
  }

  /// Looks at the whole.
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
    // A copy, since a slice holds the memory of the whole.
    data = Data(data.prefix(end))
    areCutOff = true
  }
}
