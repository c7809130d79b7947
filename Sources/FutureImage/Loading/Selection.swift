/// The request fields by which the servers on the way to an image have selected their responses. Pure. Source of the terms: RFC 9111,
/// section 4.1.
struct Selection {
  /// The fields of the first request; nil before it. By rules of ours, those of later requests follow from them.
  private var first: [String: String]?
  private var vary: [String] = []
  /// Whether the app has changed a later request in a field that counts. Then nobody can tell by a first request what fits it.
  private var isOpaque = false

  /// Adds a response.
  /// - Parameter isOfApp: whether the app has changed the fields.
  mutating func add(_ response: FutureImage.Response, to fields: [String: String], isOfApp: Bool) {
    let first = first ?? fields
    self.first = first
    guard let vary = response.headers["vary"] else { return }
    self.vary.append(vary)
    if isOfApp, SecondaryKey(vary: vary, fields: fields) != SecondaryKey(vary: vary, fields: first) { isOpaque = true }
  }

  /// Returns the entry with the key that requests must fit.
  /// - Parameter known: the names for a confirmation that states none.
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
