import FutureImage

/// Returns when the caller has the only reference to the future, so that the caller's release is the last release. A thread that delivered
/// something to the future may retain it for a moment.
func alone(_ future: inout FutureImage?) async {
  await waitWhile(future != nil && !isKnownUniquelyReferenced(&future))
}
