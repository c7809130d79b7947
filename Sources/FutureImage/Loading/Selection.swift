/// The request fields by which servers selected their responses, over all redirects on the way to an image. A pure value. Source of the
/// terms: RFC 9111, section 4.1.
struct Selection {
  /// The fields of the first request; nil before that request. By this library's rules, they determine the fields of later requests.
  private var first: [String: String]?
  private var vary: [String] = []
  /// Whether the app has changed, in a later request, a field by which a server selects responses. If so, another transfer whose first
  /// request has the same fields may get another response. So the entry must be revalidated each time.
  private var isOpaque = false

  /// Records a response.
  /// - Parameters:
  ///   - fields: the header fields of the request to which the server responded.
  ///   - isOfApp: whether the app may have changed these fields.
  mutating func add(_ response: FutureImage.Response, to fields: [String: String], isOfApp: Bool) {
    let first = first ?? fields
    self.first = first
    guard let vary = response.headers["vary"] else { return }
    self.vary.append(vary)
    if isOfApp, SecondaryKey(vary: vary, fields: fields) != SecondaryKey(vary: vary, fields: first) { isOpaque = true }
  }

  /// Returns the entry with the secondary key that requests must fit.
  /// - Parameter known: the field names in the secondary key of the known entry, if the server has confirmed this entry. They are used if
  ///   no response had a `Vary` field.
  func limit(_ entry: FutureImage.CacheEntry, known: String? = nil) -> FutureImage.CacheEntry {
    var entry = entry
    let vary = vary.isEmpty ? known ?? "" : vary.joined(separator: ",")
    entry.secondaryKey = SecondaryKey(vary: vary, fields: first ?? [:])?.text
    if isOpaque {
      entry.mustRevalidate = true
      entry.freshUntil = entry.receivedAt
    }
    return entry
  }
}
