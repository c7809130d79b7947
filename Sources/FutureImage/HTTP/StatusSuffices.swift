/// Ends an exchange whose status is the whole answer: the body is not needed. A fetcher may read a little of the body to reuse the
/// connection, but must not delay this error for that.
struct StatusSuffices: Error {}
