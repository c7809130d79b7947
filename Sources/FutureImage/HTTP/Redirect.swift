/// Determines the target of a redirect, and whether the redirect may be followed. The fetchers do not decide this, so that the same rules
/// apply to all of them.
enum Redirect {
  static let limit = 10
  static let statuses: Set = [301, 302, 303, 307, 308]

  struct Hop: Equatable {
    var url: URL
    /// Whether credentials and the app's header fields may be sent to the URL.
    var isSameOrigin: Bool
  }

  /// Returns the target of a redirect.
  /// - Parameter count: the number of redirects that were followed before this one.
  /// - Throws: the reason why the redirect must not be followed.
  static func hop(from url: URL, to location: String?, count: Int) throws(FutureImage.Failure) -> Hop {
    guard count < limit else { throw FutureImage.Failure(.malformed("it redirects more than \(limit) times")) }
    guard let location = try location.map(single), !location.isEmpty else {
      throw FutureImage.Failure(.malformed("it redirects to no URL"))
    }
    guard let target = try? URLText.url(location, relativeTo: url) else {
      throw FutureImage.Failure(.malformed("it redirects to an address that is not valid"))
    }
    let old = CanonicalURL(url)
    let new = CanonicalURL(target)
    guard ["http", "https"].contains(new.scheme) else {
      throw FutureImage.Failure(.refused("the server redirects to a “\(new.scheme)” URL; only http and https are followed"))
    }
    guard old.scheme != "https" || new.scheme == "https" else {
      throw FutureImage.Failure(.refused("the server redirects from https to http; use a URL that stays with https"))
    }
    let isSameOrigin = (old.scheme, old.host) == (new.scheme, new.host)
    return Hop(url: isSameOrigin ? target.keepingCredentials(of: url) : target, isSameOrigin: isSameOrigin)
  }

  /// Returns the single target in `Location` fields that were joined by ", ".
  ///
  /// RFC 9110, section 10.2.2, allows one field. Browsers accept several fields with the same value, and refuse fields with different
  /// values (curl issue 19130; whatwg/fetch issue 883). A target may contain a comma and an unescaped space, so only a part that begins
  /// like a URL or a path counts as another target.
  private static func single(_ field: String) throws(FutureImage.Failure) -> String {
    let parts = field.split(separator: ", ", omittingEmptySubsequences: false)
    guard let first = parts.first, parts.count > 1 else { return field }
    if parts.allSatisfy({ $0 == first }) { return String(first) }
    let isOther = { (part: Substring) in part.hasPrefix("/") || part.prefix(while: { $0 != "/" && $0 != "?" }).contains(":") }
    guard !parts.dropFirst().contains(where: isOther) else { throw FutureImage.Failure(.malformed("it redirects to two URLs")) }
    return field
  }
}

extension URL {
  fileprivate func keepingCredentials(of other: URL) -> URL {
    guard user(percentEncoded: true) == nil, let user = other.user(percentEncoded: true),
      var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
    else { return self }
    parts.percentEncodedUser = user
    parts.percentEncodedPassword = other.password(percentEncoded: true)
    return parts.url ?? self
  }
}
